package tools

import (
	"chant/engine/author/commands"
	"chant/mcp/toolset"
)

// searchText is the array of results.
func searchText(_ commands.SearchInput, r commands.SearchResult) (string, error) {
	// Clients expect an array, also an empty one.
	if r.Results == nil {
		r.Results = []commands.Hit{}
	}
	return toolset.JSON(r.Results)
}

// record is one command. A registry may have several with the same name, of which the others are variants.
type record struct {
	commands.Description
	Variants []commands.Description `json:"variants,omitempty"`
}

// describeText is the record of the command.
func describeText(_ commands.DescribeInput, r commands.DescribeResult) (string, error) {
	if len(r.Commands) == 0 {
		return toolset.JSON(struct{}{})
	}
	return toolset.JSON(record{r.Commands[0], r.Commands[1:]})
}

// executeText is the prompt.
func executeText(_ commands.ExecuteInput, r commands.ExecuteResult) (string, error) {
	return r.Text, nil
}
