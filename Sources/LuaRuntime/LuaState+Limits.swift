internal import CLua
internal import CLuaShim

/// Why what runs is being stopped.
public enum LuaInterruption: Equatable, Sendable {
  /// ``LuaState/interrupt()`` or Ctrl-C.
  case interrupted
  /// ``LuaState/setTimeLimit(seconds:)``.
  case timedOut
  /// The script called `os.exit`.
  case exited(status: Int32)
}

extension LuaState {
  // MARK: - Interruption

  /// Stops what runs: every call ends with an error of kind ``LuaError/Kind/interrupted``, which no `pcall` catches.
  ///
  /// It stays so until ``clearInterrupt()``. May be called from any thread, and from a signal handler on the thread that
  /// runs Lua.
  public func interrupt() { shim_interrupt(shim) }

  /// Lets Lua run again after an interruption, a time limit or `os.exit`.
  public func clearInterrupt() { shim_clear_interrupt(shim) }

  /// Why what runs is being stopped; nil if it is not.
  public var interruption: LuaInterruption? {
    switch shim_interrupt_reason(shim) {
    case Int32(SHIM_INTERRUPTED): .interrupted
    case Int32(SHIM_TIMED_OUT): .timedOut
    case Int32(SHIM_EXITED): .exited(status: shim_exit_status(shim))
    default: nil
    }
  }

  /// Whether what runs is to stop, for an interruption or for want of memory: for loops in Swift, which no hook reaches.
  @inline(__always)
  public var isInterrupted: Bool { shim_is_to_stop(shim) }

  /// Throws if what runs is to stop; a loop in Swift calls it now and then.
  public func checkInterrupt() throws(LuaError) {
    switch interruption {
    case nil: if isInterrupted { throw LuaError(memoryMessage, kind: .memory) }
    case .interrupted: throw LuaError("interrupted", kind: .interrupted)
    case .timedOut: throw LuaError("time limit exceeded", kind: .timedOut)
    case .exited(let status): throw LuaError("exit", kind: .exit(status: status))
    }
  }

  /// Makes SIGINT (Ctrl-C) interrupt this state, whichever thread of the process receives it.
  public func installSignalHandler() { shim_install_sigint(shim) }

  /// Restores the handler of SIGINT that ``installSignalHandler()`` replaced.
  public func uninstallSignalHandler() { shim_uninstall_sigint(shim) }

  /// Stops what runs after this many seconds from now; nil takes the limit away.
  ///
  /// Where `isFinal` is true, what does not stop then is ended by the last resort.
  public func setTimeLimit(seconds: Double?, isFinal: Bool = true) throws(LuaError) {
    guard shim_set_time_limit(shim, seconds ?? 0, isFinal) else { throw LuaError("there is no timer for a time limit") }
  }

  /// Registers `function` to be called with `context` at an interruption, to stop work that no hook reaches, such as
  /// a query.
  ///
  /// It runs in a signal handler and must be async-signal-safe, as `sqlite3_interrupt` is. At most eight can be
  /// registered.
  public func addInterruptible(
    _ context: UnsafeMutableRawPointer?, _ function: @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) -> LuaInterruptible {
    let token = shim_add_interruptible(shim, function, context)
    precondition(token >= 0, "too many interruptibles")
    return LuaInterruptible(handle: handle, token: token)
  }

  /// Calls `function` with `SHIM_INTERRUPTED` or `SHIM_TIMED_OUT` if an interruption does not stop the running code.
  ///
  /// That is five seconds after a final time limit, or at a third Ctrl-C that comes a second or two after the first. It runs in a
  /// signal handler, must be async-signal-safe, and ends the process.
  public func setLastResort(_ function: @escaping @convention(c) (_ reason: Int32) -> Void) {
    shim_set_last_resort(shim, function)
  }

  // MARK: - Memory

  /// Limits the memory of the whole process, that of Lua, SQLite and Swift, to `bytes` more than it has now.
  ///
  /// Code that exceeds the limit fails with an error of kind ``LuaError/Kind/memory``, some milliseconds later.
  /// Returns false if the system does not report the memory of a process.
  public func setProcessMemoryLimit(_ bytes: Int) -> Bool { shim_set_process_limit(shim, bytes) }

  /// The message of an error of kind ``LuaError/Kind/memory``.
  public var memoryMessage: String {
    let limit = shim_process_limit(shim)
    return limit == 0 ? "not enough memory" : "not enough memory (limit \(limit >> 20) MB)"
  }

  /// Whether a loop in Swift was stopped for want of memory and `clearCrowding()` has not been called since.
  public var isCrowded: Bool { shim_is_crowded(shim) }

  /// Allows loops to run again after they were stopped for want of memory.
  public func clearCrowding() { shim_clear_crowding(shim) }

  /// The bytes that Lua holds, with those accounted for Swift.
  public var memoryUsed: Int { shim_memory_used(shim) }

  /// The most that ``memoryUsed`` has been.
  public var memoryPeak: Int { shim_memory_peak(shim) }

  /// How many bytes Lua may hold. An allocation beyond fails with an error of kind ``LuaError/Kind/memory``.
  public var memoryLimit: Int {
    get { shim_memory_limit(shim) }
    set { shim_set_memory_limit(shim, newValue) }
  }

  /// Counts memory that Swift holds on behalf of Lua's objects against the limit, or takes it off again if negative.
  public func accountExternalBytes(_ bytes: Int) { shim_account(shim, bytes) }

  /// Collects everything that is unreachable and releases the Swift objects among it.
  public func collectGarbage() {
    shim_collect(shim_current_thread(shim))
    releaseCollectedObjects()
  }

  /// Releases the Swift objects whose userdata has been collected. This is a safe point: no allocation is under way.
  func releaseCollectedObjects() {
    while let shim = handle.shim, let object = shim_take_released(shim) {
      Unmanaged<AnyObject>.fromOpaque(object).release()
    }
  }
}

/// A place in the list of what an interruption stops; ``remove()`` it before its context goes.
public struct LuaInterruptible {
  let handle: StateHandle
  let token: Int32

  /// Removes the registration.
  public func remove() {
    if let shim = handle.shim { shim_remove_interruptible(shim, token) }
  }
}
