internal import AppleModels
internal import Modeling
internal import SwiftPrinting

/// The source forms of a model.
enum ModelSourceForm: String, CaseIterable {
  /// Perilune's declaration in Lua: `Model { ... }`.
  case lua
  /// Classes with `@Model`.
  case swiftData
  /// Subclasses of NSManagedObject.
  case coreData
  /// Subclasses of PeriluneKit's ManagedObject.
  case periluneKit
  /// The XML of a `.xcdatamodel`.
  case xcdatamodel

  /// Returns the source, and notes on parts that it cannot express.
  func source(of model: Model, _ call: Call) throws -> (text: String, notes: [String]) {
    switch self {
    case .lua:
      let source = LuaModelSource(model)
      return (source.text, source.notes)
    case .swiftData: return Self.swift(model, .swiftData)
    case .coreData: return Self.swift(model, .coreData)
    case .periluneKit: return Self.swift(model, .periluneKit)
    case .xcdatamodel:
      do throws(AppleModelError) {
        let document = try ModelDocument(model)
        return (document.text, document.notes)
      } catch {
        let reason = if case .damaged(let text) = error.fact { text } else { error.sentence }
        throw call.fail("Xcode's format cannot say the model: \(reason)")
      }
    }
  }

  private static func swift(_ model: Model, _ framework: SwiftModelSource.Framework) -> (text: String, notes: [String])
  {
    let source = SwiftModelSource(model, framework)
    return (source.text, source.notes)
  }
}
