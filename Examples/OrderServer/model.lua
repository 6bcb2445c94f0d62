-- The model of the server's store. Types.swift is written from it:
--
--     perilune types --swift --schema OrdersSchema --model model.lua > Types.swift

return Model {
  Order = Entity {
    number = Int { optional = false }, total = Double { optional = false }, worker = String { optional = false },
  },
}
