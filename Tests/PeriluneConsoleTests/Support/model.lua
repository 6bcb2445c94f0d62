-- The model of the tests' store. Orders.swift is written from it:
--
--     perilune types --swift --schema OrdersSchema --model model.lua > Orders.swift

return Model {
  Order = Entity { number = Int { optional = false }, total = Double { optional = false }, customer = ToOne "Customer" { inverse = "orders" } },
  Customer = Entity { name = String { optional = false }, orders = ToMany "Order" { inverse = "customer" } },
}
