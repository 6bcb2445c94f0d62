import Glibc

/// The signals that matter at a prompt, as flags.
///
/// A handler does nothing but set its flag; the loop reads the flags between two events. A signal that reaches another
/// thread is passed on to the one that installed the handlers, whose waiting it must end.
package enum TerminalSignals {
  package enum Kind: CaseIterable {
    case interrupt, resize, suspend, terminate, hangup

    fileprivate var number: Int32 {
      switch self {
      case .interrupt: SIGINT
      case .resize: SIGWINCH
      case .suspend: SIGTSTP
      case .terminate: SIGTERM
      case .hangup: SIGHUP
      }
    }
  }

  /// One flag for each signal number. Raw memory, because a handler may come at any moment and Swift checks accesses to
  /// variables for overlap.
  nonisolated(unsafe) private static let flags: UnsafeMutablePointer<sig_atomic_t> = {
    let flags = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 65)
    flags.initialize(repeating: 0, count: 65)
    return flags
  }()

  /// The thread that waits for the signals. Raw memory, for the same reason.
  nonisolated(unsafe) private static let waiter: UnsafeMutablePointer<pthread_t> = {
    let waiter = UnsafeMutablePointer<pthread_t>.allocate(capacity: 1)
    waiter.initialize(to: pthread_self())
    return waiter
  }()

  /// The former actions of the signals. Handlers do not read them. A dictionary would cost a hundredth of the program's start.
  nonisolated(unsafe) private static var former: [(kind: Kind, action: sigaction)] = []

  /// Whether any flag is set.
  package static var isPending: Bool { Kind.allCases.contains(where: isPending) }

  /// Whether the flag of a signal is set.
  package static func isPending(_ kind: Kind) -> Bool { flags[Int(kind.number)] != 0 }

  /// Reads and clears a flag.
  package static func take(_ kind: Kind) -> Bool {
    defer { flags[Int(kind.number)] = 0 }
    return flags[Int(kind.number)] != 0
  }

  /// Replaces the default action of signals by setting a flag. Interrupted system calls continue.
  package static func install(_ kinds: [Kind]) {
    // The handler must not be the first to touch the flags.
    _ = isPending
    waiter.pointee = pthread_self()
    for kind in kinds {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        let waiter = TerminalSignals.waiter.pointee
        if pthread_equal(pthread_self(), waiter) != 0 {
          TerminalSignals.flags[Int(number)] = 1
        } else {
          pthread_kill(waiter, number)
        }
      }
      action.sa_flags = SA_RESTART
      var before = sigaction()
      sigaction(kind.number, &action, &before)
      if !former.contains(where: { $0.kind == kind }) { former.append((kind, before)) }
    }
  }

  /// Gives signals the effect back that they had before.
  package static func uninstall(_ kinds: [Kind]) {
    for kind in kinds {
      guard let index = former.firstIndex(where: { $0.kind == kind }) else { continue }
      var before = former.remove(at: index).action
      sigaction(kind.number, &before, nil)
    }
  }

  /// Performs the former action of a signal, which stops or ends the program.
  package static func perform(_ kind: Kind) {
    uninstall([kind])
    raise(kind.number)
  }
}
