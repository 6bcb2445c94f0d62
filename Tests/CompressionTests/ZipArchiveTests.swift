import Compression
import Foundation
import TestSupport
import Testing

@Suite struct ZipArchiveTests {
  /// `a.txt` is packed, `b/c.txt` stored.
  private static let archive =
    Data(
      base64Encoded: """
        UEsDBBQAAAAIAAAAIQDweZqrCQAAABQAAAAFAAAAYS50eHTLSM3Jyc9AJQBQSwMEFAAAAAAAAAAhAAv5Q1YGAAAABgAAAAcAAABiL2MudHh0c3RvcmVk\
        UEsBAhQDFAAAAAgAAAAhAPB5mqsJAAAAFAAAAAUAAAAAAAAAAAAAAIABAAAAAGEudHh0UEsBAhQDFAAAAAAAAAAhAAv5Q1YGAAAABgAAAAcAAAAAAAAA\
        AAAAAIABLAAAAGIvYy50eHRQSwUGAAAAAAIAAgBoAAAAVwAAAAAA
        """) ?? Data()

  /// The same in the form for more than 4 GB.
  private static let large =
    Data(
      base64Encoded: """
        UEsDBC0AAAAIAAAAIQDweZqr//////////8FABQAYS50eHQBABAAFAAAAAAAAAAJAAAAAAAAAMtIzcnJz0AlAFBLAwQtAAAAAAAAACEAC/lDVv//////\
        ////BwAUAGIvYy50eHQBABAABgAAAAAAAAAGAAAAAAAAAHN0b3JlZFBLAQItAy0AAAAIAAAAIQDweZqr//////////8FABQAAAAAAAAAAACAAQAAAABh\
        LnR4dAEAEAAUAAAAAAAAAAkAAAAAAAAAUEsBAi0DLQAAAAAAAAAhAAv5Q1b//////////wcAHAAAAAAAAAAAAIAB/////2IvYy50eHQBABgABgAAAAAA\
        AAAGAAAAAAAAAEAAAAAAAAAAUEsGBiwAAAAAAAAALQAtAAAAAAAAAAAAAgAAAAAAAAACAAAAAAAAAJgAAAAAAAAAfwAAAAAAAABQSwYHAAAAABcBAAAA\
        AAAAAQAAAFBLBQYAAAAAAgACAJgAAAB/AAAAAAA=
        """) ?? Data()

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ name: String, in data: Data) throws -> String? {
    let path = folder.file("archive.zip")
    try data.write(to: URL(filePath: path))
    guard let next = try ZipArchive(path: path).file(name) else { return nil }
    var bytes: [UInt8] = []
    while let chunk = try next() { bytes += chunk }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func filesAreReadByTheirNames() throws {
    #expect(try read("a.txt", in: Self.archive) == "hellohellohellohello")
    #expect(try read("b/c.txt", in: Self.archive) == "stored")
    #expect(try read("c.txt", in: Self.archive) == nil)
    // A comment may follow.
    var commented = Self.archive
    commented[commented.count - 2] = 3
    #expect(try read("b/c.txt", in: commented + Data("PK!".utf8)) == "stored")
  }

  @Test func sizesOfEightBytesAreRead() throws {
    #expect(try read("a.txt", in: Self.large) == "hellohellohellohello")
    #expect(try read("b/c.txt", in: Self.large) == "stored")
    #expect(throws: CompressionError.damaged) { try read("a.txt", in: Self.large.suffix(160)) }
  }

  @Test(arguments: [archive, large]) func aWrongByteNeverGivesWrongContent(_ archive: Data) throws {
    for index in 0..<archive.count {
      for flip: UInt8 in [1, 0x80, 0xFF] {
        var wrong = archive
        wrong[index] ^= flip
        for (name, content) in [("a.txt", "hellohellohellohello"), ("b/c.txt", "stored")] {
          do {
            let found = try read(name, in: wrong)
            #expect(found == nil || found == content, "\(index)")
          } catch is CompressionError {}
        }
      }
    }
  }

  @Test func whatIsNoArchiveIsSaidToBeNone() {
    #expect(throws: CompressionError.noArchive) { try read("a.txt", in: Data("hello".utf8)) }
    #expect(throws: CompressionError.noArchive) { try read("a.txt", in: Data()) }
    #expect(throws: CompressionError.cutOff) { try read("a.txt", in: Self.archive.prefix(150)) }
    #expect(throws: CompressionError.unreadable(errorNumber: ENOENT)) { try ZipArchive(path: folder.file("none")) }
  }
}
