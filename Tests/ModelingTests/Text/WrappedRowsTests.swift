import Modeling
import Testing

@Suite struct WrappedRowsTests {
  private func rows(_ text: String) -> String? {
    WrappedRows(Array(text.utf8)).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private func read(_ text: String) throws -> [[String: JSON]] {
    let reader = JSONRowsReader(bytes: WrappedRows(Array(text.utf8))?.bytes ?? Array(text.utf8))
    var rows: [[String: JSON]] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }

  @Test func whatIsAroundTheRowsBecomesSpaces() {
    #expect(rows(#"{"count": 1, "items": [{"a": 1}], "x": 2}"#) == #"                      [{"a": 1}]         "#)
  }

  @Test func theFirstArrayOfObjectsHasTheRows() throws {
    #expect(try read(#"{"tags": [1], "data": {"rows": [{"a": 1}, {"a": 2}]}}"#) == [["a": .int(1)], ["a": .int(2)]])
    #expect(try read(#"{"deep": {"rows": [{"a": 1}]}, "rows": [{"b": 2}]}"#) == [["b": .int(2)]])
  }

  @Test func anObjectWithoutRowsIsOneRow() throws {
    #expect(try read("{\n\"a\": 1,\n\"b\": [1]\n}\n") == [["a": .int(1), "b": .array([.int(1)])]])
    #expect(try read(#"{"a": "}"}"#) == [["a": .string("}")]])
  }

  @Test func linesOfObjectsStayLines() throws {
    #expect(rows("{\"a\": [{}]}\n{\"a\": [{}]}") == nil)
    #expect(!WrappedRows.mayBegin(Array("{\"a\": 1}\n{\"a".utf8)))
    #expect(WrappedRows.mayBegin(Array("\u{FEFF} {\"a\": [1".utf8)))
    #expect(!WrappedRows.mayBegin(Array("[{}]".utf8)))
  }

  @Test func propertiesOfFeaturesAreColumns() throws {
    let text = """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": null, "properties": {"name": "a,b", "size": 1}, "id": 7},
        {"properties": {}, "id": 8}, {"properties": null, "type": "Feature"}, {"properties": {"size": 2}}
      ]}
      """
    #expect(
      try read(text) == [
        ["geometry": .null, "name": .string("a,b"), "size": .int(1), "id": .int(7)], ["id": .int(8)], [:],
        ["size": .int(2)],
      ])
    #expect(try read(#"{"type": "FeatureCollection", "links": [{"a": 1}], "features": []}"#) == [])
    #expect(try read(#"{"type": "Feature", "properties": {"a": 1}}"#) == [["a": .int(1)]])
  }

  @Test func anyBeginningOfATextIsReadOrRefused() {
    let text = Array(
      #"{"type": "FeatureCollection", "features": [{"id": 1, "properties": {"a": "\"]"}}, {"id": [2]}]}"#.utf8)
    for count in 0...text.count {
      for byte: UInt8 in [0, 0x22, 0x5C, 0x7B, 0x7D, 0x5B, 0x5D, 0x2C, 0x3A] {
        let reader = JSONRowsReader(bytes: WrappedRows(text[..<count] + [byte])?.bytes ?? [])
        do { while try reader.next() != nil {} } catch {}
      }
    }
  }
}
