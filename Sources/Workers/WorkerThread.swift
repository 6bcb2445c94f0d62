internal import CProcessors
internal import Foundation

/// Threads beside the one that runs Lua and the engine.
package enum WorkerThread {
  /// The processors that this thread may use: those of the machine, or fewer where it is bound to some of them.
  package static var usableProcessors: Int { Int(perilune_usable_processors()) }

  /// How many threads share a work, at most.
  package static let most = min(usableProcessors, 8)

  /// Starts a thread with as large a stack as that of the program. It takes no signals but those of its own faults, as where another
  /// program cuts off a page of a file that it reads.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread {
      var others = sigset_t()
      sigfillset(&others)
      for fault in [SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS] { sigdelset(&others, fault) }
      pthread_sigmask(SIG_BLOCK, &others, nil)
      body()
    }
    (thread.name, thread.stackSize) = (name, 8 << 20)
    thread.start()
  }
}
