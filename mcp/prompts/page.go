package prompts

import (
	"encoding/base64"
	"slices"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// This file cuts lists to what one reply of MCP contains: pages of prompts and resources, and completions.

// PageSize is how many entries of a list one reply has.
const PageSize = 100

// Page cuts from a sorted list what follows the cursor, and gives the cursor of
// the next page, "" on the last. A cursor is the key of the last entry seen, so
// that a list may change between two pages. The library, which lists nothing of
// its own here, has refused cursors that it could not decode.
func Page[T any](all []T, cursor mcpgo.Cursor, key func(T) string, compare func(a, b string) int) ([]T, mcpgo.Cursor) {
	// The cursor is the last key that was seen, so a list may change between two pages.
	if after, _ := base64.StdEncoding.DecodeString(string(cursor)); len(after) > 0 {
		all = slices.DeleteFunc(all, func(each T) bool { return compare(key(each), string(after)) <= 0 })
	}
	if len(all) <= PageSize {
		return all, ""
	}
	last := key(all[PageSize-1])
	return all[:PageSize], mcpgo.Cursor(base64.StdEncoding.EncodeToString([]byte(last)))
}
