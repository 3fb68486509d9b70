package config

import "fmt"

// Recycling says which worktrees of landed runs are kept for the next ones.
type Recycling string

// Which worktrees are kept.
const (
	RecycleLarge  Recycling = "auto"  // those with many files, and nothing in them that the next commit does not have
	RecycleAlways Recycling = "true"  // all, with the files that git ignores
	RecycleNever  Recycling = "false" // none
)

// parseRecycling reads auto, true or false.
func parseRecycling(text string) (Recycling, error) {
	switch r := Recycling(text); r {
	case RecycleLarge, RecycleAlways, RecycleNever:
		return r, nil
	}
	return "", fmt.Errorf("%q is not auto, true or false", text)
}
