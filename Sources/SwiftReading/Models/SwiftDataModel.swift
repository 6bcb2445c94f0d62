public import Modeling
public import SwiftParsing

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
  /// Of several versions of a schema, `schema` is the name of the one to read: `SchemaV2`. Where the text is that of a file, notes
  /// begin with its `path` and the line: `Trips.swift:3: …`.
  ///
  /// - Throws: all mistakes of the text, in its order.
  public init(swift text: String, schema: String? = nil, path: String? = nil) throws(SwiftReadingError) {
    var parser = SwiftParser(text, readsBodies: false)
    let statements = parser.parse()
    var reader = SwiftDataModelReader(text, schema: schema, path: path, issues: parser.issues)
    for part in parser.leftOut where part.declares {
      reader.note("what follows \(part.condition) is left out, as in an app for iOS", at: part.place)
    }
    do throws(SwiftReadingError) {
      model = try reader.model(of: statements)
    } catch {
      var error = error
      error.subject = .model
      throw error
    }
    notes = reader.notes
  }

  /// The versions of a schema that a text declares, in their order.
  public static func schemas(in text: String) -> [String] {
    var parser = SwiftParser(text, readsBodies: false)
    return SwiftDataModelReader.schemas(in: parser.parse())
  }

  /// The models of the classes in the files of a program, one for each version of its schema, as far as they can be read.
  ///
  /// Types that the files do not declare may be anything; what is no model is left out.
  package static func models(in texts: [String]) -> [Model] {
    let text = texts.joined(separator: "\n")
    var parser = SwiftParser(text, readsBodies: false)
    let statements = parser.parse()
    let schemas: [String?] = SwiftDataModelReader.schemas(in: statements)
    return (schemas.count > 1 ? schemas : [nil]).compactMap { schema in
      var reader = SwiftDataModelReader(text, schema: schema, path: nil, issues: SwiftIssues(text))
      return reader.partialModel(of: statements)
    }
  }
}
