# The compiler, and the flags that every file of one build tree shares. They are global on purpose: a precompiled header
# is only usable by files compiled with the very same flags.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR
    "GCC ${CMAKE_CXX_COMPILER_VERSION} silently miscompiles coroutines (a temporary passed to a co_await'ed call is destroyed "
    "twice), so Deputy is built with clang 19: run scripts/setup, then cmake --preset debug.")
endif()

set(DEPUTY_KIND "debug" CACHE STRING "debug, release, asan or tsan: set by the preset")

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_BUILD_TYPE "" CACHE STRING "unused: DEPUTY_KIND says it all" FORCE)

add_compile_options(-Wall -Wextra -Wno-missing-field-initializers -Werror=return-type -Werror=unused-result)
add_compile_definitions(
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED BOOST_ALL_NO_LIB SPDLOG_FMT_EXTERNAL SPDLOG_COMPILED_LIB)
add_link_options(-fuse-ld=lld)

if(DEPUTY_KIND STREQUAL "release")
  add_compile_options(-O2 -g1)
  add_compile_definitions(NDEBUG)
  add_link_options(-Wl,--gc-sections -Wl,--icf=safe)
else()
  add_compile_options(-O0 -g1 -fno-omit-frame-pointer)
  add_compile_definitions(DEPUTY_FAILPOINTS)
endif()

if(DEPUTY_KIND STREQUAL "asan")
  # Fuzz targets share this tree, so every library carries the counters that libFuzzer reads. What fuzzer-no-link adds to them, calls at
  # every comparison, takes a quarter of the compile time.
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=undefined -fsanitize-coverage=inline-8bit-counters,pc-table)
elseif(DEPUTY_KIND STREQUAL "tsan")
  set(sanitize -fsanitize=thread)
endif()
if(sanitize)
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
  # Recycled coroutine frames hide use after free from the sanitizers.
  add_compile_definitions(BOOST_ASIO_DISABLE_AWAITABLE_FRAME_RECYCLING)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Relative paths and no directory in the hash: another clone of the same tree hits the same cache. What a file includes is read from its
  # depfile: the preprocessor cannot run, because the precompiled header names no file it could read again. A header that
  # changes while a file is compiled must keep that object out of the cache: so nothing is forgiven of times.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_NOHASHDIR=1
      CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros
      ${CCACHE})
endif()
