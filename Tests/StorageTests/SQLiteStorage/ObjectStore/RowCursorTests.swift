import Modeling
import StorageTestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// The classes from which each store derives its own stand for no rows themselves.
@Suite struct RowCursorTests {
  private let entity: Entity

  init() throws { entity = try Sample.model().entity(named: "Quake")! }

  @Test func aCursorOfNoStoreHasNoRows() throws {
    let cursor = RowCursor(entity)
    #expect(try !cursor.step())
    #expect(cursor.isCurrent)
    #expect(cursor.rowsScanned == 0)
    #expect(cursor.key == 0)
    #expect(cursor.entity === entity)
    #expect(cursor.storageClass(0) == .null)
    #expect(cursor.integer(0) == 0)
    #expect(cursor.real(0) == 0)
    #expect(cursor.bytes(0).isEmpty)
    guard case .null = cursor.value(0) else { return #expect(Bool(false), "it has a value") }
    let row = cursor.pack()
    #expect(row.count == 0)
    row.free()
    cursor.close()
    cursor.close()
  }

  /// A cursor of one row, which tells the storage class and the typed accessors and nothing else.
  private final class OneRow: RowCursor {
    let type: StorageClass
    let held: [UInt8] = [65, 66]

    init(_ entity: Entity, _ type: StorageClass) {
      self.type = type
      super.init(entity)
    }

    override func storageClass(_ column: Int) -> StorageClass { type }
    override func integer(_ column: Int) -> Int64 { 7 }
    override func real(_ column: Int) -> Double { 0.5 }
    override func bytes(_ column: Int) -> UnsafeRawBufferPointer { held.withUnsafeBytes { $0 } }
  }

  @Test func aValueIsReadByTheAccessorOfItsStorageClass() {
    func told(_ type: StorageClass) -> String {
      switch OneRow(entity, type).value(0) {
      case .null: "nothing"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let bytes): "text of \(bytes.count)"
      case .blob(let bytes): "blob of \(bytes.count)"
      }
    }
    let types: [StorageClass] = [.null, .integer, .real, .text, .blob]
    #expect(types.map(told) == ["nothing", "7", "0.5", "text of 2", "blob of 2"])
  }

  @Test func answersAndPlacesOfNoStoreAreNothing() throws {
    let answers = AnswerCursor()
    #expect(try !answers.step())
    #expect(answers.key == 0)
    #expect(answers.answer(0) == nil)
    let place = PlacementRow()
    #expect(place.key == 0)
    #expect(place.storageClass(0) == .null)
    #expect(place.double(0) == 0)
    #expect(place.value(0) == .null)
    #expect(place.section == nil)
  }
}
