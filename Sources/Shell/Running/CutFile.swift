internal import Glibc

/// Handles a store's file that another process truncates while it is open.
///
/// Stores are read through a memory map, and touching a page that is no longer in the file raises a signal. No data
/// can be saved then, so the process prints the reason and ends with the status of an input error.
enum CutFile {
  private static let message: StaticString = "perilune: error: the store's file was cut short while it was open\n"

  /// Installs the signal handler.
  static func install() {
    signal(SIGBUS) { _ in
      _ = write(2, CutFile.message.utf8Start, CutFile.message.utf8CodeUnitCount)
      _exit(74)
    }
  }
}
