internal import Glibc

/// Handles a store's file that another program truncates while it is open.
///
/// Stores are read through a memory map, and reading a page beyond the file's end raises SIGBUS. There is nothing
/// left to save, so the process reports the reason and ends with the status of an input error.
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
