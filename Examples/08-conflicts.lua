-- Two contexts change the same account, and five ways to settle it.

local model = Model { Account = Entity { owner = String { unique = true }, balance = Int, note = String } }

for _, policy in ipairs { "error", "storeTrump", "objectTrump", "overwrite", "rollback" } do
  local store <close> = open(":memory:", { model = model })
  local account = store.entities.Account { owner = "ann", balance = 10, note = "" }
  store.context:save()

  local other = store:newContext()
  local same = other.entities.Account:find "ann"
  same.balance, same.note = 30, "theirs"
  account.balance = 20
  other:save()

  store.context.mergePolicy = policy
  local ok, problem = pcall(store.context.save, store.context)
  if not ok then
    local detail = problem.details[1]
    print(policy, problem.kind, detail.property, detail.base, detail.mine, detail.theirs)
    account:refresh { mergeChanges = false }
  end
  print(policy, account.balance, account.note)
end
