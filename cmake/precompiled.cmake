# One precompiled header a build tree. CMake's own target_precompile_headers defeats ccache, so this is a rule of ours: the
# header is named by a relative path and carries no time stamp, hence the same bytes in every clone.

cmake_path(RELATIVE_PATH CMAKE_SOURCE_DIR BASE_DIRECTORY "${CMAKE_BINARY_DIR}" OUTPUT_VARIABLE source_from_build)
set(precompiled_header "${CMAKE_BINARY_DIR}/precompiled.h.pch")

get_directory_property(precompiled_options COMPILE_OPTIONS)
get_directory_property(precompiled_definitions COMPILE_DEFINITIONS)
list(TRANSFORM precompiled_definitions PREPEND "-D")

add_custom_command(
  OUTPUT "${precompiled_header}"
  COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} -std=c++23 ${precompiled_options} ${precompiled_definitions}
          -I${source_from_build}/src -Xclang -fno-pch-timestamp -x c++-header ${source_from_build}/src/precompiled.h
          -o precompiled.h.pch -MD -MF precompiled.h.d -MT precompiled.h.pch
  DEPENDS "${CMAKE_SOURCE_DIR}/src/precompiled.h"
  DEPFILE "${CMAKE_BINARY_DIR}/precompiled.h.d"
  WORKING_DIRECTORY "${CMAKE_BINARY_DIR}"
  COMMENT "Precompiling src/precompiled.h"
  VERBATIM)
add_custom_target(precompiled DEPENDS "${precompiled_header}")

# Makes `target` see src/ and start every file from the precompiled header.
function(use_precompiled target)
  add_dependencies(${target} precompiled)
  target_compile_options(${target} PRIVATE -I${source_from_build}/src -include-pch precompiled.h.pch)
  get_target_property(sources ${target} SOURCES)
  set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES OBJECT_DEPENDS "${precompiled_header}")
endfunction()
