# One precompiled header a build tree. CMake's own target_precompile_headers defeats ccache, so this is a rule of ours. Clang writes the
# path of a header into what it makes of it; read from standard input in / there is none of this clone, so the same bytes come out in every
# clone and ccache's entries serve all of them. It is made without ccache, which would hand out a file that names another clone.
# src/precompiled.h therefore includes system headers only.

cmake_path(RELATIVE_PATH CMAKE_SOURCE_DIR BASE_DIRECTORY "${CMAKE_BINARY_DIR}" OUTPUT_VARIABLE source_from_build)
set(precompiled_header "${CMAKE_BINARY_DIR}/precompiled.h.pch")

get_directory_property(precompiled_options COMPILE_OPTIONS)
get_directory_property(precompiled_definitions COMPILE_DEFINITIONS)
list(TRANSFORM precompiled_definitions PREPEND "-D")

add_custom_command(
  OUTPUT "${precompiled_header}"
  COMMAND sh -c "exec \"$@\" <'${CMAKE_SOURCE_DIR}/src/precompiled.h'" precompile
          ${CMAKE_CXX_COMPILER} -std=c++23 ${precompiled_options} ${precompiled_definitions} -Xclang -fno-pch-timestamp
          -x c++-header - -o "${precompiled_header}"
          -MD -MF "${precompiled_header}.d" -MT precompiled.h.pch
  DEPENDS "${CMAKE_SOURCE_DIR}/src/precompiled.h"
  DEPFILE "${precompiled_header}.d"
  WORKING_DIRECTORY /
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
