public import Foundation
import Glibc

/// A pipe whose ends no program inherits but the one that is given them.
///
/// Tests start programs at the same time. An end of a usual pipe can stay open in a program of another test, and then the end of
/// what is written never comes.
public struct OwnPipe {
  /// The end that is read.
  public let reading: FileHandle
  /// The end that is written.
  public let writing: FileHandle

  /// Makes a pipe.
  public init() throws {
    var ends: [Int32] = [0, 0]
    // Sockets, because a pipe can be kept from other programs only after it is made.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
    reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
  }
}
