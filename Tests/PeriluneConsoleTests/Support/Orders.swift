// swift-format-ignore-file
// Written by `perilune types --swift`: write it anew when the model changes.

import Foundation
import PeriluneKit

final class Customer: ManagedObject {
  var name: String {
    get { self["name"] }
    set { self["name"] = newValue }
  }
  var orders: [Order] {
    get { self["orders"] }
    set { self["orders"] = newValue }
  }

  override class var entityName: String { "Customer" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("name", \Customer.name)
    $0.add("orders", \Customer.orders)
  }
}

final class Order: ManagedObject {
  var customer: Customer? {
    get { self["customer"] }
    set { self["customer"] = newValue }
  }
  var number: Int {
    get { self["number"] }
    set { self["number"] = newValue }
  }
  var total: Double {
    get { self["total"] }
    set { self["total"] = newValue }
  }

  override class var entityName: String { "Order" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames {
    $0.add("customer", \Order.customer)
    $0.add("number", \Order.number)
    $0.add("total", \Order.total)
  }
}

/// The classes above, and the model that they were written from.
enum OrdersSchema: ModelSchema {
  static let classes: [ManagedObject.Type] = [Customer.self, Order.self]
  static let model = #"{"entities":[{"name":"Customer","properties":[{"name":"name","optional":false,"type":"String"},{"destination":"Order","inverse":"customer","name":"orders","toMany":true}]},{"name":"Order","properties":[{"destination":"Customer","inverse":"orders","name":"customer"},{"name":"number","optional":false,"type":"Integer64"},{"name":"total","optional":false,"type":"Double"}]}],"version":1}"#
}
