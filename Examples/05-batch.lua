-- Many objects at once: transactions, pending changes as data, and requests that write in the store.

local model = Model {
  Account = Entity {
    number = String { optional = false, unique = true },
    balance = Int { optional = false, default = 0, min = 0 },
    closed = Bool { optional = false, default = false },
    _ = { order = { "number", "balance", "closed" } },
  },
}

local store <close> = open(":memory:", { model = model })
local context, Account = store.context, store.entities.Account

Account:batchInsert {
  { number = "A", balance = 100 },
  { number = "B", balance = 20 },
  { number = "C" },
}
print("inserted", Account:count(), Account:all():sum "balance")

local function transfer(from, to, amount)
  context:transaction(function()
    local source, target = Account:find(from), Account:find(to)
    source.balance = source.balance - amount
    target.balance = target.balance + amount
  end)
end

transfer("A", "B", 30)
print("moved", Account:find("A").balance, Account:find("B").balance)

-- A balance may not fall below 0: the whole transaction is undone.
print("overdrawn", (pcall(transfer, "B", "C", 500)))
print("unchanged", Account:find("B").balance, Account:find("C").balance, context.hasChanges)

-- What would be saved
Account:find("A").balance = 75
Account:find("C"):delete()
Account { number = "D" }
local diff = context:diff()
print("pending", #diff.inserted, #diff.updated, #diff.deleted)
context:rollback()

-- These write at once, and bring the objects in memory up to date.
Account:batchUpdate("balance == 0", { closed = true })
Account:where("balance > 60"):update { balance = 60 }
for account in Account:all():sorted("number"):each() do
  print(account.number, account.balance, account.closed)
end
Account:batchDelete "closed == TRUE"
print("left", Account:count())
print("by SQL", store:sql("SELECT sum(balance) AS total FROM account WHERE balance > ?", 55)[1].total)
