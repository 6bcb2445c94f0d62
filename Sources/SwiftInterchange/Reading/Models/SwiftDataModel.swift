public import Modeling

/// A model read from classes with `@Model`, with notes on what a model does not keep of them.
///
/// ```swift
/// let read = try SwiftDataModel(swift: """
///   @Model final class Quake {
///     @Attribute(.unique) var code: String
///     var time = Date()
///     @Relationship(deleteRule: .cascade, inverse: \Report.quake) var reports: [Report] = []
///   }
///   @Model final class Report { var quake: Quake? }
///   """)
/// read.model.entities.map(\.name)      // ["Quake", "Report"]
/// read.notes                           // ["line 3: Quake.time: the default Date() is computed for each object …"]
/// ```
///
/// It is the reverse of `SwiftModelSource(model, .swiftData)`.
public struct SwiftDataModel: Sendable {
  /// The model; its entities and properties are in the order of the text.
  public let model: Model
  /// What a person should know: facts of the source that the model does not have, with the lines they stand in.
  public let notes: [String]

  /// Reads the classes of a text, those within enumerations and extensions of a schema too.
  ///
  /// - Throws: all mistakes of the text, in its order.
  public init(swift text: String) throws(SwiftReadingError) {
    var parser = SwiftParser(text)
    let statements = parser.parse()
    var reader = SwiftDataModelReader(text, issues: parser.issues)
    do throws(SwiftReadingError) {
      model = try reader.model(of: statements)
    } catch {
      var error = error
      error.subject = .model
      throw error
    }
    notes = reader.notes
  }
}
