internal import Glibc
internal import Terminal

/// The tokens of a person's sessions at a socket: each in a file, which is locked as long as its prompt is there.
///
/// After a lost connection, as of a closed window, the next `perilune attach` finds the file unlocked, and goes on with the session.
final class SessionTokens {
  private struct File {
    let path: String
    let descriptor: Int32
    var token = ""
  }

  /// The beginning of the paths, which a number ends.
  private let stem: String
  private var lostFiles: [File] = []
  private var own: File?

  /// More sessions than that have no file.
  private static let most = 16

  /// Finds the tokens for a socket; nil where the user has no folder for them.
  init?(_ socket: String, _ environment: [String: String]) {
    guard let folder = HistoryStore.standardFolder(environment), let whole = realpath(socket, nil) else { return nil }
    defer { free(whole) }
    HistoryStore.makeFolders(folder)
    // FNV-1a, as the name is the same in each process.
    let hash = String(cString: whole).utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    stem = "\(folder)/attached-\(String(hash, radix: 16))-"
    lostFiles = (1...Self.most).compactMap { Self.locked("\(stem)\($0)", O_RDWR) }
  }

  deinit { for file in lostFiles + [own].compactMap(\.self) { close(file.descriptor) } }

  /// The tokens of the sessions whose prompt is gone.
  var lost: [String] { lostFiles.map(\.token) }

  /// Keeps the token of the session that has begun. Returns whether it is one of the lost; the others, of which the console does
  /// not know, are forgotten if it is none.
  func keep(_ token: String) -> Bool {
    own = lostFiles.first { $0.token == token }
    for file in lostFiles where file.path != own?.path {
      if own == nil { unlink(file.path) }
      close(file.descriptor)
    }
    lostFiles = []
    if own != nil { return true }
    for number in 1...Self.most where own == nil {
      own = Self.locked("\(stem)\(number)", O_RDWR | O_CREAT | O_EXCL)
    }
    if let own { _ = Array(token.utf8).withUnsafeBytes { write(own.descriptor, $0.baseAddress, $0.count) } }
    return false
  }

  /// Forgets the token of a session that has ended.
  func forget() { if let own { unlink(own.path) } }

  /// Opens a file that no other process has locked, and reads it.
  private static func locked(_ path: String, _ flags: Int32) -> File? {
    let descriptor = open(path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    var room = [UInt8](repeating: 0, count: 128)
    let count = read(descriptor, &room, room.count)
    return File(path: path, descriptor: descriptor, token: String(decoding: room[..<max(count, 0)], as: UTF8.self))
  }
}
