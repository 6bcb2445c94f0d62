internal import CLuaShim

// Views for tests; not public.
extension LuaState {
  /// Makes the growing allocation of this number fail, counted from 1 at the state's beginning; 0 for none.
  func failAllocation(_ number: UInt64) { shim_fail_allocation(shim, number) }

  /// How many growing allocations there were.
  var allocations: UInt64 { shim_allocations(shim) }

  /// How many allocations failed while Swift was on the stack, and so were granted at first.
  var deferredFailures: UInt64 { shim_deferred_failures(shim) }

  /// Pushes a table with Lua's own `table` and `string` libraries.
  func pushStockFunctions() throws(LuaError) { try stack.check(shim_push_stock_functions(stack.pointer)) }

  /// Bytes of the memory that small objects of Lua are allocated from; 0 where the sanitizer of addresses looks on.
  var smallBlockBytes: Int { shim_small_block_bytes(shim) }

  /// Whether the lists and counters of that memory agree.
  var areSmallBlocksSound: Bool { shim_are_small_blocks_sound(shim) }
}
