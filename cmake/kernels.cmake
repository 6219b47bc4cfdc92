# The inner loops, the only sources with flags of their own: tendril_kernels has the flags, and tendril_LAYER_kernels is
# compiled with them.
set(kernels_in_columns src/math/tree_ldlt.cpp src/solvers/alpha/block_elimination.cpp src/solvers/block/cut_strand.cpp
  src/solvers/block/system.cpp src/solvers/compact/elimination.cpp src/solvers/direct/system.cpp
  src/solvers/newton/system.cpp)  # packs of 32 bytes
set(kernels_in_lanes src/solvers/block/elements.cpp src/solvers/block/gap_in_lanes.cpp
  src/solvers/block/obstacle_terms.cpp src/solvers/block/strand_elimination.cpp src/solvers/block/strands.cpp src/solvers/block/strands_on_obstacles.cpp
  src/solvers/block/tree_in_lanes.cpp src/solvers/direct/elements.cpp
  src/solvers/direct/residual.cpp src/solvers/newton/strains.cpp src/solvers/newton/turns_in_lanes.cpp src/solvers/projective/bundle.cpp
  src/solvers/projective/strand_step.cpp)  # the widest
set(kernels_in_one_go src/solvers/block/strand_elimination.cpp src/solvers/block/tree_in_lanes.cpp)  # one long function
foreach(group kernels_in_columns kernels_in_lanes kernels_in_one_go)
  list(TRANSFORM ${group} PREPEND ${PROJECT_SOURCE_DIR}/)
endforeach()
set(kernels ${kernels_in_columns} ${kernels_in_lanes})

add_library(tendril_kernels INTERFACE)

# A part is solved by the same instructions on any thread, so here a product and a sum may become one instruction. Without
# that a run takes 13 % more processor time with hair in bundles, 4 % with trees, 11 % with a birch under direct (AVX-512).
# What is in packs already is not to be packed again.
target_compile_options(tendril_kernels INTERFACE -ffp-contract=fast -fno-tree-slp-vectorize)

# gcc moves structs in pieces of 16 bytes; what is stored in pieces and loaded as a pack makes the processor wait. In one
# long function gcc moves common subexpressions to its start and spills them: storing and loading a pack costs as much as
# two products, so it is told not to; and to keep rows in registers, though they are large: 6 % of
# the time of hair, 8 % of that of trees.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  set_property(SOURCE ${kernels_in_columns} APPEND PROPERTY COMPILE_OPTIONS -mmove-max=256 -mstore-max=256)
  set_property(SOURCE ${kernels_in_lanes} APPEND PROPERTY COMPILE_OPTIONS -mmove-max=512 -mstore-max=512)
  set_property(SOURCE ${kernels_in_one_go} APPEND PROPERTY COMPILE_OPTIONS -fno-tree-pre -fno-gcse
    -flive-range-shrinkage --param=sra-max-scalarization-size-Ospeed=100000)
endif()

# All of a pass is one function, with so many references that to check each keeps a compiler busy for more than ten
# minutes: there it is not checked. What it reads and writes is put in its place elsewhere, which is.
if(TENDRIL_SANITIZE STREQUAL "address")
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/solvers/block/strand_elimination.cpp APPEND PROPERTY COMPILE_OPTIONS
    -fno-sanitize=all)
endif()
