import Modeling
import Testing

@testable import Presentation
@testable import Shell

@Suite struct AttachRunTests {
  @Test func coloursThatDoNotFitTogetherAreLeftOut() throws {
    let marks = AttachRun.marks(
      try JSON.parse(
        #"[[5,9,"name"],[0,3,"name"],[2,6,"name"],[7,4,"name"],[-1,2,"name"],[10,9223372036854775807,"name"],[1,2,"no"],[1],5]"#
      ))
    #expect(marks.map(\.range) == [0..<3, 5..<9, 10..<Int.max])
    #expect(AttachRun.marks(.object([:])).isEmpty)
  }
}
