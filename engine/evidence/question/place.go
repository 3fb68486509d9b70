package question

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
)

// Place is the name of a file of questions, without its extension.
type Place string

// The prefixes of places that belong to no spec: no id of a spec begins with a dot.
const (
	branchPrefix = ".branch-"
	folderPrefix = ".folder-"
)

// maxName limits the name of a branch in the name of a file, in bytes; longer ones are hashed.
const maxName = 150

// OfSpec is the place of a spec. The id must be valid.
func OfSpec(id string) Place { return Place(id) }

// OfBranch is the place of work without a spec on a branch.
func OfBranch(branch string) Place {
	name := url.PathEscape(branch)
	if len(name) > maxName {
		// No branch has a ~ in its name.
		name = "~" + hashText(branch)
	}
	return Place(branchPrefix + name)
}

// OfFolder is the place of work without a spec where no branch is checked out.
func OfFolder(path string) Place { return Place(folderPrefix + hashText(path)) }

func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
