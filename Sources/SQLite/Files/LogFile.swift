import Foundation

/// The content of a write-ahead log, read from its file without SQLite.
public struct LogFile: Hashable, Sendable {
  /// The size of the file in bytes.
  public let size: Int64
  /// The number of pages it has room for.
  public let frames: Int
  /// The number of committed pages, from the first one on.
  public let committed: Int
  /// The number of pages whose committed content is only in the log, and not in the database file.
  public let pending: Int

  private static let headerLength = 32
  private static let frameHeaderLength = 24

  /// Reads the log of the database at `path`; nil if there is none or it is empty.
  ///
  /// `database` reads bytes of the database file at an offset. Pages that are already in the file need no copy.
  package init?(beside path: String, database: (_ count: Int, _ place: Int64) -> [UInt8]?) {
    // A log has no locks, so opening and closing it is safe.
    guard let file = FileHandle(forReadingAtPath: path + "-wal") else { return nil }
    defer { try? file.close() }
    size = Int64((try? file.seekToEnd()) ?? 0)
    guard size > 0, (try? file.seek(toOffset: 0)) != nil else { return nil }
    guard let head = try? file.read(upToCount: Self.headerLength), head.count == Self.headerLength else {
      (frames, committed, pending) = (0, 0, 0)
      return
    }
    let header = [UInt8](head)
    let pageSize = Int(Self.number(header, 8))
    guard (512...65536).contains(pageSize), Self.number(header, 0) & ~1 == 0x377f_0682 else {
      (frames, committed, pending) = (0, 0, 0)
      return
    }
    var sum = Checksum(isBigEndian: Self.number(header, 0) & 1 == 1)
    sum.add(header[0..<24])
    frames = (Int(size) - Self.headerLength) / (pageSize + Self.frameHeaderLength)
    var (number, committed) = (0, 0)
    // The position of the newest committed content of each page.
    var (newest, unfinished): ([UInt32: UInt64], [UInt32: UInt64]) = ([:], [:])
    var isSound = sum.isStored(in: header, at: 24)
    while isSound, let data = try? file.read(upToCount: pageSize + Self.frameHeaderLength),
      data.count == pageSize + Self.frameHeaderLength
    {
      let frame = [UInt8](data)
      sum.add(frame[0..<8])
      sum.add(frame[Self.frameHeaderLength...])
      isSound = frame[8..<16] == header[16..<24] && Self.number(frame, 0) > 0 && sum.isStored(in: frame, at: 16)
      number += 1
      if !isSound { break }
      unfinished[Self.number(frame, 0)] = UInt64(
        Self.headerLength + number * (pageSize + Self.frameHeaderLength) - pageSize)
      // The last page of a transaction has the number of pages of the file.
      if Self.number(frame, 4) > 0 {
        committed = number
        newest.merge(unfinished) { $1 }
        unfinished = [:]
      }
    }
    self.committed = committed
    pending = newest.count { page, place in
      guard (try? file.seek(toOffset: place)) != nil, let data = try? file.read(upToCount: pageSize) else {
        return true
      }
      return database(pageSize, Int64(page - 1) * Int64(pageSize)) != [UInt8](data)
    }
  }

  private static func number(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The cumulative checksum in each page.
  private struct Checksum {
    let isBigEndian: Bool
    private var (first, second): (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBytes { buffer in
        for start in stride(from: 0, to: buffer.count - 7, by: 8) {
          first &+= word(buffer, start) &+ second
          second &+= word(buffer, start + 4) &+ first
        }
      }
    }

    private func word(_ buffer: UnsafeRawBufferPointer, _ start: Int) -> UInt32 {
      let value = buffer.loadUnaligned(fromByteOffset: start, as: UInt32.self)
      return isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value)
    }

    func isStored(in bytes: [UInt8], at start: Int) -> Bool {
      first == LogFile.number(bytes, start) && second == LogFile.number(bytes, start + 4)
    }
  }
}
