package gitops

import (
	"io/fs"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/gitindex"
	"chant/gitops/layout"

	"chant/gitops/objectstore"
	"chant/gitops/refstore"
	"chant/gitops/revision"
)

// The parts of a Repo. As embedded fields they have these names, since two of the types are named Store.
type (
	refs    = refstore.Store
	objects = objectstore.Store
	revs    = revision.Reader
	config  = gitconfig.Settings
	index   = gitindex.Index
	trees   = Trees
	merger  = Merger
	nested  = Finder
	commits = Committer
)

// These are the types of the parts that callers name.
type (
	Change      = revision.Change
	ChangeSize  = revision.ChangeSize
	Claim       = layout.Claim
	Commit      = objectstore.Commit
	Comparison  = revision.Comparison
	Entry       = objectstore.Entry
	File        = objectstore.File
	FileChange  = revision.FileChange
	FileDiff    = revision.FileDiff
	FileSize    = revision.FileSize
	GitReading  = gitconfig.Reading
	Head        = refstore.Head
	HeadEntry   = refstore.HeadEntry
	Lead        = gitconfig.Lead
	Pair        = revision.Pair
	Ref         = refstore.Ref
	RefMove     = refstore.Move
	RefSnapshot = refstore.Snapshot
	Starter     = gitexec.Starter
	StatusEntry = gitindex.StatusEntry
	Touch       = revision.Touch
	Visit       = revision.Visit
	Window      = revision.Window
	WorkFile    = gitindex.WorkFile
)

// Kinds of what stands at a path of a worktree.
const (
	WorkRegular   = gitindex.WorkRegular
	WorkLink      = gitindex.WorkLink
	WorkSubmodule = gitindex.WorkSubmodule
)

// Trailers reads the "Key: value" lines that end a message, as Commit has them.
func Trailers(message string) map[string]string { return objectstore.Trailers(message) }

// IsBlob reports whether an object name is that of a file with this content.
func IsBlob(content []byte, hash string) bool { return objectstore.IsBlob(content, hash) }

// BlobName returns the object name of a file with this content, by SHA-256 if long.
func BlobName(content []byte, long bool) string { return objectstore.BlobName(content, long) }

// HookDigest is the value of a hook in a GitReading.
func HookDigest(content []byte, mode fs.FileMode) string { return gitconfig.HookDigest(content, mode) }

// SettingsEnv are the variables from which git reads the settings that an environment has for it, and then further ones.
func SettingsEnv(environ []string, further [][2]string) []string {
	return gitexec.SettingsEnv(environ, further)
}

// UnfoldParameters returns an environment in which the settings that git passes to what it starts, such as an alias, are
// where SettingsEnv finds them.
func UnfoldParameters(environ []string) []string { return gitexec.UnfoldParameters(environ) }

// RunsAtLanding reports whether git runs a hook when it writes the files of a checkout or moves its branch.
func RunsAtLanding(hook string) bool { return gitconfig.RunsAtLanding(hook) }
