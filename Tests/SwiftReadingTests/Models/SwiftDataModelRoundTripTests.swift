import Modeling
import Queries
import SwiftPrinting
import SwiftReading
import TestSupport
import Testing

/// Models are printed and read back.
@Suite(.seeded) struct SwiftDataModelRoundTripTests {
  @Test func aModelThatSwiftDataCanSayIsReadBackEqual() throws {
    var generator = ModelGenerator(seed: 11, isSayable: true)
    for _ in 0..<Effort.rounds(100) {
      let model = try generator.model()
      let source = SwiftModelSource(model, .swiftData)
      #expect(source.notes.allSatisfy { $0.contains(" inherits from ") }, "\(source.notes)")
      guard let read = SwiftDataModel.read(source.text) else { return }
      #expect(read.notes.allSatisfy { $0.contains("is kept as JSON") }, "\(read.notes)")
      #expect(read.model.descriptions == model.descriptions, "\(source.text)")
    }
  }

  @Test func whatIsReadOfAnyModelsSourceIsPrintedTheSameAgain() throws {
    // Comments, and what a class that was abstract is open for, are not read.
    func code(_ text: String) -> String {
      let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      return lines.joined(separator: "\n").replacing("final class", with: "class")
    }
    var generator = ModelGenerator(seed: 12, isSayable: false)
    for _ in 0..<Effort.rounds(100) {
      let model = try generator.model()
      // Of what leads one way an inverse may be found, which a note says.
      guard !model.entities.flatMap(\.relationships).contains(where: \.isUnidirectional) else { continue }
      let source = SwiftModelSource(model, .swiftData)
      guard let read = SwiftDataModel.read(source.text) else { return }
      let (again, first) = (code(SwiftModelSource(read.model, .swiftData).text), code(source.text))
      if again != first {
        Issue.record("\(again.split(separator: "\n").difference(from: first.split(separator: "\n")))")
      }
    }
  }

  @Test func aModelIsReadBackEqualUnlessANoteSaysWhatIsLost() throws {
    var generator = ModelGenerator(seed: 13, isSayable: false)
    for _ in 0..<Effort.rounds(150) {
      let model = try generator.model()
      let source = SwiftModelSource(model, .swiftData)
      guard let read = SwiftDataModel.read(source.text)?.model else { return }
      if model.version != read.version { #expect(source.notes.contains { $0.contains("version") }) }
      for (own, other) in zip(model.descriptions, read.descriptions) where own != other {
        #expect(source.notes.contains { $0.contains(own.name) }, "\(own.name)")
        for (property, found) in zip(own.properties, other.properties) where property != found {
          let place = "\(own.name).\(property.name)"
          let isTold = source.notes.contains { $0.hasPrefix(place) || $0.hasPrefix("\(own.name): the index") }
          #expect(isTold, "\(place): \(property) \(found)")
        }
      }
    }
  }
}
