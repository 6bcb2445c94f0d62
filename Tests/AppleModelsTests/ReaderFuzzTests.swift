import AppleModels
import Foundation
import Modeling
import TestSupport
import Testing

/// None of these may trap, hang or make much of little; what they answer is of no matter.
@Suite(.seeded) struct ReaderFuzzTests {
  private static let rounds = Effort.isLong ? 20_000 : 60

  /// A few bytes changed, cut out, repeated or put elsewhere.
  private func mutated(_ bytes: [UInt8], _ random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let position = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes.removeSubrange(position..<min(bytes.count, position + 7))
      case 3: bytes.insert(contentsOf: bytes[position..<min(bytes.count, position + 9)], at: position)
      case 4: bytes.removeLast(min(bytes.count, Int.random(in: 0...40, using: &random)))
      default: bytes.swapAt(position, Int.random(in: bytes.indices, using: &random))
      }
    }
    return bytes
  }

  private func survive(_ bytes: [UInt8]) {
    if let list = try? BinaryPropertyList(bytes) { _ = list.json(limit: bytes.count) }
    _ = ArchivedValue.decode(bytes)
    for read in [
      try? AppleModel(compiled: bytes), try? AppleModel(document: bytes), try? AppleModel(modelCache: bytes),
    ] {
      guard let read else { continue }
      // The model that was read is a model like any other.
      let encoded = read.model.encoded()
      #expect((try? Model(encoded: encoded))?.encoded() == encoded)
    }
  }

  @Test func archivesWithChangedBytesAreSurvived() throws {
    var random = SplitMix(seed: 1)
    let builder = ArchiveBuilder()
    let inner = builder.comparison(builder.path("cost", of: builder.variable("p")), 2, builder.constant(.int(2)))
    let counted = builder.path("@count", of: builder.subquery(builder.path("parts"), "p", inner))
    let predicate = builder.comparison(counted, 4, builder.constant(.int(0)))
    let bounds = builder.list([builder.comparison(builder.itself, 3, builder.constant(.int(1)))])
    let bytes = builder.model(
      properties: [builder.attribute("a", 200, ["NSValidationPredicates": .object(bounds)])], predicate: predicate)
    for _ in 0..<Self.rounds { survive(mutated(bytes, &random)) }
  }

  @Test func documentsWithChangedBytesAreSurvived() {
    var random = SplitMix(seed: 1)
    let text = """
      <?xml version="1.0"?><model userDefinedModelVersionIdentifier="2"><entity name="A" parentEntity="B">
      <attribute name="a" attributeType="Integer 16" minValueString="1" defaultValueString="0"/>
      <relationship name="b" toMany="YES" maxCount="9" destinationEntity="B" inverseName="a"/></entity>
      <entity name="B"><relationship name="a" maxCount="1" destinationEntity="A" inverseName="b"/>
      <fetchedProperty name="f"><fetchRequest name="x" entity="A" predicateString="a &gt; $FETCH_SOURCE.a"/></fetchedProperty>
      </entity></model>
      """
    for _ in 0..<Self.rounds { survive(mutated(Array(text.utf8), &random)) }
  }

  @Test func randomBytesAreSurvived() {
    var random = SplitMix(seed: 1)
    for _ in 0..<Self.rounds {
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      survive(bytes)
      survive(Array("bplist00".utf8) + bytes)
    }
  }

  @Test(.enabled(if: RealModels.areThere, "the real stores are not beside the repository"))
  func realModelsWithChangedBytesAreSurvived() throws {
    var random = SplitMix(seed: 1)
    let compiled = Array(
      try Data(contentsOf: URL(filePath: RealModels.path(RealModels.sample + ".momd/SampleModel3.mom"))))
    let cache = try RealModels.cache("CoreDataPlus/SampleModel2/SampleModel2_V1")
    for _ in 0..<Self.rounds {
      survive(mutated(compiled, &random))
      survive(mutated(cache, &random))
    }
  }
}
