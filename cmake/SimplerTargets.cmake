# Settings shared by every target of the project, and the four functions that declare targets.

# ccache shares objects between build folders, and takes a precompiled header by its contents.
find_program(SIMPLER_CCACHE ccache)
if(SIMPLER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${SIMPLER_CCACHE})
endif()

add_library(simpler_options INTERFACE)
target_compile_features(simpler_options INTERFACE cxx_std_20)
target_compile_options(simpler_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion -Wnon-virtual-dtor -Wold-style-cast -Werror)
target_include_directories(simpler_options INTERFACE ${PROJECT_SOURCE_DIR})
if(SIMPLER_SANITIZER)
  target_compile_options(simpler_options INTERFACE -fsanitize=${SIMPLER_SANITIZER}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(simpler_options INTERFACE -fsanitize=${SIMPLER_SANITIZER})
endif()
# With this macro the maps of protobuf have one member more than the installed library knows of. The
# standard library still has to avoid what ThreadSanitizer does not see.
if(SIMPLER_SANITIZER MATCHES "thread")
  target_compile_options(simpler_options INTERFACE -U__SANITIZE_THREAD__ -D_GLIBCXX_TSAN=1)
endif()

# The fuzzer steers by the coverage of the code under test, so every library is instrumented.
if(SIMPLER_BUILD_FUZZERS)
  target_compile_options(simpler_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# simpler_add_library(<name> SOURCES … [DEPS …]): static library simpler_<name>, alias simpler::<name>.
function(simpler_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(simpler_${name} STATIC ${ARG_SOURCES})
  add_library(simpler::${name} ALIAS simpler_${name})
  target_link_libraries(simpler_${name} PUBLIC ${ARG_DEPS} PRIVATE $<BUILD_INTERFACE:simpler_options>)
  target_include_directories(simpler_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_compile_features(simpler_${name} PUBLIC cxx_std_20)
endfunction()

# simpler_add_test(<name> SOURCES … [DEPS …] [LABELS …] [SERIAL]): GoogleTest program, one ctest entry
# per case. SERIAL: no other test runs at the same time.
function(simpler_add_test name)
  cmake_parse_arguments(ARG "SERIAL" "" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT ARG_SERIAL)
    set(ARG_SERIAL FALSE)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} simpler_test_options)
  target_precompile_headers(${name} REUSE_FROM simpler_test_headers)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS "${ARG_LABELS}"
                         RUN_SERIAL ${ARG_SERIAL})
endfunction()

# simpler_add_benchmark(<name> SOURCES … [DEPS …]): Google Benchmark program.
function(simpler_add_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} simpler_options benchmark::benchmark_main)
endfunction()

# simpler_add_fuzzer(<name> SOURCES … [DEPS …]): libFuzzer target; the entry point is in SOURCES.
function(simpler_add_fuzzer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} simpler_options)
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()
