-- Plays what a person does in Neovim with `perilune lsp`, without a screen, and writes what is shown as JSON:
--
--     nvim --headless -u NONE -c 'luafile session.lua' FILE
--
-- in an environment with PERILUNE (the program), PERILUNE_STORE and PERILUNE_SEEN (the file that is written).
local MOST_MILLISECONDS = 120000

local function play()
  local seen = {}
  local client = vim.lsp.start_client({
    name = "perilune",
    cmd = { vim.env.PERILUNE, "lsp", "--store", vim.env.PERILUNE_STORE },
    root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(0, client)

  local function diagnostics(is_there)
    vim.wait(MOST_MILLISECONDS, function()
      return (#vim.diagnostic.get(0) > 0) == is_there
    end, 10)
    return vim.tbl_map(function(found)
      return { found.message, found.lnum, found.col, found.end_col }
    end, vim.diagnostic.get(0))
  end

  local function ask(method, more)
    local parameters = vim.tbl_extend("error", vim.lsp.util.make_position_params(0, "utf-16"), more or {})
    local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. method, parameters, MOST_MILLISECONDS)
    return answers and answers[client] and answers[client].result or vim.NIL
  end

  seen.diagnostics = diagnostics(true)
  local line = vim.api.nvim_buf_get_lines(0, 0, 1, true)[1]
  vim.api.nvim_buf_set_lines(0, 0, 1, true, { (line:gsub("magnitud ", "magnitude ")) })
  seen.corrected = diagnostics(false)
  vim.api.nvim_win_set_cursor(0, { 1, line:find("magni", 1, true) + 4 })
  seen.completion = vim.tbl_map(function(item)
    return item.label
  end, ask("completion").items)
  seen.hover = ask("hover").contents.value
  seen.symbols = vim.tbl_map(function(symbol)
    return { symbol.name, symbol.detail }
  end, ask("documentSymbol"))
  vim.lsp.buf.rename("strength")
  vim.wait(MOST_MILLISECONDS, function()
    return vim.api.nvim_buf_get_lines(0, 0, 1, true)[1]:find("strength", 1, true) ~= nil
  end, 10)
  seen.renamed = vim.api.nvim_buf_get_lines(0, 0, 1, true)[1]
  vim.lsp.stop_client(client)
  return seen
end

local done, seen = pcall(play)
vim.fn.writefile({ vim.json.encode(done and seen or { failure = seen }) }, vim.env.PERILUNE_SEEN)
vim.cmd("qall!")
