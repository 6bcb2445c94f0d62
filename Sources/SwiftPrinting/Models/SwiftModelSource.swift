public import Modeling

/// The classes of a model as Swift source, for SwiftData, for Core Data or for PeriluneKit.
///
/// ```swift
/// SwiftModelSource(model, .swiftData).text
/// // import Foundation
/// // import SwiftData
/// //
/// // @Model
/// // final class Quake {
/// //   @Attribute(.unique) var code: String
/// //   …
/// ```
///
/// What the framework cannot say of the model is noted, not dropped in silence.
public struct SwiftModelSource: Hashable, Sendable {
  /// The framework that the classes are for.
  public enum Framework: String, CaseIterable, Hashable, Sendable {
    /// Classes with `@Model`.
    case swiftData
    /// Subclasses of NSManagedObject.
    case coreData
    /// Subclasses of PeriluneKit's ManagedObject.
    case periluneKit
  }

  /// The source.
  public let text: String
  /// What a person should know: facts of the model that the classes do not have.
  public let notes: [String]

  /// Writes the classes of a model, in its order; `schema` is the name of the list by which PeriluneKit finds them all.
  public init(_ model: Model, _ framework: Framework, schema: String = "AppSchema") {
    switch framework {
    case .swiftData:
      var printer = SwiftDataModelPrinter(model)
      text = printer.text()
      notes = printer.notes
    case .coreData:
      var printer = ManagedObjectPrinter(model)
      text = printer.text()
      notes = printer.notes
    case .periluneKit:
      var printer = TypedObjectPrinter(model, schema: schema)
      text = printer.text()
      notes = printer.notes
    }
  }
}
