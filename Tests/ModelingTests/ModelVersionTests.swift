import Modeling
import Testing

@Suite struct ModelVersionTests {
  @Test func numbersAreOrderedAsNumbers() {
    func isNewer(_ left: String, _ right: String) -> Bool { ModelVersion(left).isNewer(than: ModelVersion(right)) }
    #expect(isNewer("2", "1") && !isNewer("1", "2"))
    #expect(isNewer("1.10", "1.9") && isNewer("1.0.1", "1") && isNewer("10", "9.9"))
    #expect(!isNewer("1.0", "1") && !isNewer("1", "1.0"))
    #expect(!isNewer("spring", "autumn") && !isNewer("2", "autumn") && !isNewer("1.", "0"))
    #expect(!isNewer("99999999999999999999", "1"))
  }

  @Test func aVersionIsEncodedWithTheModelAndChangesNoTables() throws {
    let descriptions = [EntityDescription("A")]
    let model = try Model(descriptions, version: ModelVersion("1.10"))
    #expect(try Model(encoded: model.encoded()).version == ModelVersion("1.10"))
    #expect(try Model(encoded: Model(descriptions).encoded()).version == nil)
    #expect(try model.fingerprint == Model(descriptions).fingerprint)
  }
}
