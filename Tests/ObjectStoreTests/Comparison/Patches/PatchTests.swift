import Comparison
import Foundation
import Modeling
import TestSupport
import Testing

/// A patch is read as it was written, and a damaged one is an error with its line.
@Suite struct PatchTests {
  /// A patch with each kind of change and of value.
  private static let text = #"""
    {"count":3,"identities":{"Quake":["code"]},"perilune":"patch","properties":{"Quake":["code","place"],"Report":["quake"]},"version":1}
    {"changes":[{"new":{"value":"it's\n\\"},"old":{"value":null},"property":"place"},{"new":{"value":{"date":-1.5}},"old":{"value":{"decimal":"1.1"}},"property":"time"},{"new":{"value":{"data":"AP8="}},"old":{"value":{"uuid":"0000000A-0000-0000-0000-00000000002A"}},"property":"a"},{"new":{"value":{"json":{"a":[null]}}},"old":{"value":{"double":"inf"}},"property":"b"},{"new":{"value":{"url":"http://a.b"}},"old":{"value":true},"property":"c"}],"entity":"Quake","identity":["us2"],"kind":"updated"}
    {"changes":[{"new":{"object":{"entity":"Quake","identity":["us1"]}},"old":{"object":null},"property":"quake"},{"new":{"objects":[{"entity":"Tag","identity":[1,"x"]}]},"old":{"objects":[]},"property":"tags"}],"entity":"Report","identity":[7],"kind":"inserted"}
    {"changes":[],"entity":"Quake","identity":[-9223372036854775808],"kind":"deleted"}
    """#

  private func lines(_ patch: Patch) -> [String] {
    var lines: [String] = []
    patch.write { lines.append($0) }
    return lines
  }

  private func read(_ bytes: [UInt8]) throws -> Patch { try bytes.withUnsafeBytes { try Patch($0) } }

  @Test func aPatchIsReadAsItWasWritten() throws {
    let read = try read(Array(Self.text.utf8))
    #expect(lines(read).joined(separator: "\n") == Self.text)
    #expect(read.differences.map(\.kind) == [.updated, .inserted, .deleted])
  }

  @Test(.seeded) func aDamagedPatchIsAnError() throws {
    var random = SplitMix(seed: 48)
    let bytes = Array(Self.text.utf8)
    var refused = 0
    for _ in 0..<(Effort.isLong ? 100_000 : 3_000) {
      var damaged = bytes
      for _ in 0...random.below(3) {
        let place = random.below(damaged.count)
        switch random.below(4) {
        case 0: damaged[place] = UInt8(random.below(256))
        case 1: damaged.remove(at: place)
        case 2: damaged.removeLast(damaged.count - place)
        default: damaged.insert(contentsOf: damaged[place..<min(place + random.below(40), damaged.count)], at: place)
        }
        if damaged.isEmpty { damaged = [0] }
      }
      do { _ = try read(damaged) } catch let error as PatchError {
        refused += 1
        #expect(error.line >= 1 && error.line <= damaged.count(where: { $0 == 10 }) + 1)
      }
    }
    #expect(refused > 1_000)
  }

  @Test func aPatchOfLaterTimesIsRefused() {
    let text = #"{"perilune":"patch","version":2,"count":0,"identities":{},"properties":{}}"#
    #expect { try read(Array(text.utf8)) } throws: { ($0 as? PatchError)?.fact == .version(2) }
  }
}
