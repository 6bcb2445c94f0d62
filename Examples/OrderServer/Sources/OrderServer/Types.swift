// swift-format-ignore-file
// Written by `perilune types --swift`: write it anew when the model changes.

import Foundation
import PeriluneKit

final class Order: ManagedObject {
  var number: Int {
    get { self["number"] }
    set { self["number"] = newValue }
  }
  var total: Double {
    get { self["total"] }
    set { self["total"] = newValue }
  }
  var worker: String {
    get { self["worker"] }
    set { self["worker"] = newValue }
  }

  override class var entityName: String { "Order" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("number", \Order.number)
    $0.add("total", \Order.total)
    $0.add("worker", \Order.worker)
  }
}

/// The classes above, and the model that they were written from.
enum OrdersSchema: ModelSchema {
  static let classes: [ManagedObject.Type] = [Order.self]
  static let model = #"{"entities":[{"name":"Order","properties":[{"name":"number","optional":false,"type":"Integer64"},{"name":"total","optional":false,"type":"Double"},{"name":"worker","optional":false,"type":"String"}]}],"version":1}"#
}
