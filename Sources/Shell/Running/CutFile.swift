internal import Glibc

/// What happens when a store's file is cut short by somebody else while it is open.
///
/// Stores are read through a memory map, and touching a page that is no longer in the file is a signal. There is nothing
/// left to save then, so the process says why it ends, with the status of an input error.
enum CutFile {
  private static let message: StaticString = "perilune: error: the store's file was cut short while it was open\n"

  /// Answers the signal from now on.
  static func install() {
    signal(SIGBUS) { _ in
      _ = write(2, CutFile.message.utf8Start, CutFile.message.utf8CodeUnitCount)
      _exit(74)
    }
  }
}
