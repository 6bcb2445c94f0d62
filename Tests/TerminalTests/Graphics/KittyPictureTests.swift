import Foundation
import Testing

@testable import Terminal

/// A file goes to the terminal whole, in pieces that it takes.
@Suite struct KittyPictureTests {
  @Test func thePiecesAreTheFile() throws {
    for count in [0, 1, 2, 3, 3_071, 3_072, 3_073, 20_000] {
      let file = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let text = KittyPicture(png: file, columns: 40).text
      let pieces = text.split(separator: "\u{1B}\\").map { $0.dropFirst(3) }
      #expect(pieces.first?.hasPrefix("a=T,f=100,q=2,c=40,m=") == true)
      let data = pieces.map { $0.split(separator: ";", omittingEmptySubsequences: false)[1] }
      #expect(data.allSatisfy { $0.count <= 4_096 } && data.dropLast().allSatisfy { $0.count % 4 == 0 })
      #expect(Data(base64Encoded: data.joined()) == Data(file))
      #expect(pieces.map { $0.contains("m=1;") } == pieces.indices.map { $0 < pieces.count - 1 })
    }
  }
}
