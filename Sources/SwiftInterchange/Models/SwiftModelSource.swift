public import Modeling

/// The classes of a model as Swift source, for SwiftData or for Core Data.
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
  }

  /// The source.
  public let text: String
  /// What a person should know: facts of the model that the classes do not have.
  public let notes: [String]

  /// Writes the classes of a model, in its order.
  public init(_ model: Model, _ framework: Framework) {
    switch framework {
    case .swiftData:
      var printer = SwiftDataModelPrinter(model)
      text = printer.text()
      notes = printer.notes
    case .coreData:
      var printer = ManagedObjectPrinter(model)
      text = printer.text()
      notes = printer.notes
    }
  }
}
