-- A module of queues.
local json = require("json")

local Queue = {}

--- Makes a queue.
-- @return a queue
function Queue.new(size)
  if size then
    return setmetatable({}, Queue)
  end
end

local function push(self, item)
  table.insert(self.items, item)
end

Queue.pop = function(self)
  return table.remove(self.items)
end

return Queue
