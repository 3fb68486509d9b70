package shelf

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chant/engine/store/disk"
	"chant/engine/store/record"
	"chant/gitops"

	"github.com/bmatcuk/doublestar/v4"
)

// This file knows which files of a worktree are searched, and whether they are still as they were.
//
// Rules:
//
//   - The files are those of git's own list: tracked and untracked ones, never ignored ones. The same is asked of git about
//     a folder that is in no repository (gitops.OpenApart). Submodules that are checked out belong to it. Symbolic links and
//     other repositories inside do not.
//   - A manifest has the blob of each path, by the stamp of the file (disk.Stamp). A file whose stamp
//     has not changed is not read, and git is not asked if no stamp has: neither of a file, nor of a folder, nor of git's
//     index and ignore rules.
//   - If only files and folders have changed, a manifest is brought up to date without a list from git (Update). It says
//     the same as one that is made anew (TestUpdate).
//   - Some files are left out, each with a reason that users can see: files over a size, binary, generated, minified and
//     vendored ones, and what the settings exclude. What the settings include is never left out but for its size and if
//     it is binary.
//   - The bytes of a changed file are hashed as git would without filters, so that a commit of it changes nothing. If
//     filters or line ends make an unchanged file differ from its blob, the blob counts.
//
// Decisions:
//
// 2026-11-24: git's list of all files is asked for only if its index or its rules have changed, or if a new folder is
// there. Rejected: the list after each change, which took 300 of 600 ms for one changed file of 11,000.
//
// 2026-11-23: stamps of files and folders are compared before each answer. Rejected: a watcher, which loses events when a
// branch is switched and costs a process for each worktree; and asking git each time, which takes three times as long.

// ReadCorpus returns the manifest of the worktree of repo whose top is root. What an earlier manifest knows of files whose
// stamps have not changed is taken from it; it may be nil.
func ReadCorpus(ctx context.Context, repo *gitops.Repo, root string, rules Rules, before *Manifest) (*Manifest, error) {
	// Other rules leave out other files, so nothing of the old manifest is certain.
	if before != nil && before.Rules != rules.String() {
		before = nil
	}
	r := reader{rules: rules, root: root, before: before, now: time.Now(), manifest: &Manifest{Root: root, Rules: rules.String()}, folders: map[string]bool{}}
	// git's files are looked at before its list is made: a change between the two is noticed next time.
	if err := r.watchGit(repo, root); err != nil {
		return nil, err
	}
	if err := r.list(ctx, repo, root, ""); err != nil {
		return nil, err
	}
	slices.SortFunc(r.manifest.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if err := r.stampFiles(ctx); err != nil {
		return nil, err
	}
	// Links and missing files were needed until here, since their stamps had to be looked at.
	r.manifest.Files = slices.DeleteFunc(r.manifest.Files, func(f File) bool { return f.Skipped == notRegular || f.Skipped == isGone })
	if err := r.watchFolders(ctx, repo); err != nil {
		return nil, err
	}
	return r.manifest, ctx.Err()
}

// reader makes a manifest.
type reader struct {
	rules    Rules
	root     string
	before   *Manifest
	now      time.Time
	manifest *Manifest
	folders  map[string]bool // relative to the root, "." for the root
}

// list adds the files of a repository, whose top is at prefix below the root.
func (r *reader) list(ctx context.Context, repo *gitops.Repo, top, prefix string) error {
	files, err := repo.WorkFiles(ctx, top)
	if err != nil {
		return err
	}
	for _, f := range files {
		name := path.Join(prefix, f.Path)
		switch f.Kind {
		case gitops.WorkSubmodule:
			if err := r.submodule(ctx, repo, name); err != nil {
				return err
			}
		case gitops.WorkLink:
			// git may still know a link that was replaced by a file.
			if info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(f.Path))); err != nil || !info.Mode().IsRegular() {
				continue
			}
			f.Hash = ""
			fallthrough
		case gitops.WorkRegular:
			r.manifest.Files = append(r.manifest.Files, File{Path: name, Hash: f.Hash})
			for folder := path.Dir(name); !r.folders[folder]; folder = path.Dir(folder) {
				r.folders[folder] = true
			}
		}
	}
	return nil
}

// submodule adds the files of a submodule, if it is checked out.
func (r *reader) submodule(ctx context.Context, from *gitops.Repo, name string) error {
	top := filepath.Join(r.root, filepath.FromSlash(name))
	if _, err := os.Lstat(filepath.Join(top, ".git")); err != nil {
		// It may be checked out later.
		r.folders[name] = true
		return nil
	}
	repo, err := from.OpenOther(top)
	if err != nil || repo.Dir() != top {
		return nil //nolint:nilerr // the folder is not that of the submodule
	}
	if err := r.watchGit(repo, top); err != nil {
		return err
	}
	return r.list(ctx, repo, top, name)
}

// watchGit notes the files of git that say what belongs to the worktree.
func (r *reader) watchGit(repo *gitops.Repo, top string) error {
	own, err := repo.GitDir(top)
	if err != nil {
		return err
	}
	// These decide which files git lists: the index, ignore rules of the clone, and settings such as core.excludesFile.
	for _, name := range []string{filepath.Join(own, "index"), filepath.Join(repo.CommonDir(), "info", "exclude"), filepath.Join(repo.CommonDir(), "config")} {
		r.manifest.Watched = append(r.manifest.Watched, Watched{Path: name, Stamp: stampOf(name)})
	}
	return nil
}

func stampOf(name string) disk.Stamp {
	info, err := os.Stat(name)
	if err != nil {
		return disk.Stamp{}
	}
	return disk.FromInfo(info)
}

// Why a path that git lists does not belong to the worktree.
const (
	notRegular = "not a regular file"
	isGone     = "is gone"
)

// stampFiles finds out the stamp of each file, and the blob of each that differs from git's index.
func (r *reader) stampFiles(ctx context.Context) error {
	long := r.hasLongNames()
	return each(ctx, len(r.manifest.Files), func(i int) { r.stampFile(&r.manifest.Files[i], long) })
}

// hasLongNames reports whether the repository names its objects by SHA-256.
func (r *reader) hasLongNames() bool {
	for _, f := range r.manifest.Files {
		if f.Hash != "" {
			return len(f.Hash) > 40
		}
	}
	return false
}

func (r *reader) stampFile(f *File, long bool) {
	if f.Skipped = r.rules.Path(f.Path); f.Skipped != "" {
		f.Hash = ""
		return
	}
	name := filepath.Join(r.root, filepath.FromSlash(f.Path))
	info, err := os.Lstat(name)
	if err != nil {
		f.fail(err)
		return
	}
	now := disk.FromInfo(info)
	// A stamp that could stay the same after the next write is not kept, so that the file is read again.
	if now.Settled(r.now) {
		f.Stamp = now
	}
	switch {
	case !info.Mode().IsRegular():
		f.Hash, f.Skipped = "", notRegular
		return
	case r.rules.Size(info.Size()) != "":
		f.Hash, f.Skipped = "", r.rules.Size(info.Size())
		return
	// git has compared the file with its index just now.
	case f.Hash != "":
		return
	}
	// A changed file that is the same as at the last question need not be hashed again.
	if known, ok := r.knownFile(f.Path); ok && known.Stamp == now && now.Known() && known.Hash != "" {
		f.Hash = known.Hash
		return
	}
	text, read, err := disk.ReadFile(name, r.now)
	if err != nil {
		f.fail(err)
		return
	}
	f.Hash, f.Stamp = gitops.BlobName(text, long), read
}

// fail notes that a file cannot be read.
func (f *File) fail(err error) {
	f.Hash, f.Failed = "", true
	if f.Skipped = "cannot be read"; errors.Is(err, fs.ErrPermission) {
		f.Skipped = "cannot be read: permission denied"
	}
	if errors.Is(err, fs.ErrNotExist) {
		f.Skipped, f.Failed = isGone, false
	}
}

func (r *reader) knownFile(name string) (File, bool) {
	if r.before == nil {
		return File{}, false
	}
	return r.before.Find(name)
}

// watchFolders notes the stamp of each folder with files, and of those without that git does not ignore.
func (r *reader) watchFolders(ctx context.Context, repo *gitops.Repo) error {
	r.folders["."] = true
	names := make([]string, 0, len(r.folders))
	for name := range r.folders {
		names = append(names, name)
	}
	slices.Sort(names)
	var unknown []string
	// Folders below a new folder are unknown too, so git is asked once for each level.
	for len(names) > 0 {
		for _, name := range names {
			unknown = append(unknown, r.watchFolder(name)...)
		}
		ignored, err := repo.IgnoredIn(ctx, r.root, unknown...)
		if err != nil {
			return err
		}
		names = names[:0]
		for _, name := range unknown {
			if !ignored[name] {
				r.folders[name] = true
				names = append(names, name)
			}
		}
		unknown = nil
	}
	return nil
}

// watchFolder notes the stamp of a folder and returns the folders in it of which nothing is known.
func (r *reader) watchFolder(name string) (unknown []string) {
	full := filepath.Join(r.root, filepath.FromSlash(name))
	now := stampOf(full)
	if !now.Settled(r.now) {
		now = disk.Stamp{}
	}
	r.manifest.Watched = append(r.manifest.Watched, Watched{Path: name, Stamp: now})
	entries, err := os.ReadDir(full)
	if err != nil {
		// It is gone; the next check notices.
		return nil
	}
	for _, e := range entries {
		below := path.Join(name, e.Name())
		if !e.IsDir() || r.folders[below] || e.Name() == ".git" {
			continue
		}
		// Other repositories inside do not belong to the worktree.
		if isRepository(filepath.Join(full, e.Name())) {
			continue
		}
		unknown = append(unknown, below)
	}
	return unknown
}

// isRepository reports whether a folder is the top of another repository.
func isRepository(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git"))
	return err == nil
}

// IsCurrent reports whether nothing has changed since the manifest was made.
func (m *Manifest) IsCurrent(ctx context.Context) bool {
	below, err := disk.OpenBelow(m.Root)
	if err != nil {
		return false
	}
	defer below.Close()
	var changed atomic.Bool
	err = each(ctx, len(m.Watched)+len(m.Files), func(i int) {
		// One difference is enough, so the rest is skipped.
		if !changed.Load() && !m.isUnchanged(below, i) {
			changed.Store(true)
		}
	})
	return err == nil && !changed.Load()
}

// each calls do for the numbers below n, on all processors.
func each(ctx context.Context, n int, do func(int)) error {
	const atOnce = 64
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n/atOnce+1) {
		all.Go(func() {
			for ctx.Err() == nil {
				from := int(next.Add(atOnce)) - atOnce
				if from >= n {
					return
				}
				// Numbers are taken in groups, since the counter is shared by all processors.
				for i := from; i < min(from+atOnce, n); i++ {
					do(i)
				}
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// Manifest is what a worktree contains.
type Manifest struct {
	Root    string // its top, absolute
	Rules   string // Rules.String of the rules that were applied
	Files   []File // sorted by path
	Watched []Watched
}

// File is a file of a worktree.
type File struct {
	Path    string
	Hash    string // its blob; "" if it is left out by its path or size, or cannot be read
	Skipped string // why it is left out, or why it cannot be read; "" if neither
	Failed  bool   // it cannot be read
	Stamp   disk.Stamp
}

// Watched is a folder or a file of git whose stamp changes when files come and go.
type Watched struct {
	Path  string // relative to the root, or absolute
	Stamp disk.Stamp
}

// Unit names a blob at a path, the same in all worktrees.
type Unit [12]byte

// Unit returns the name of the file's content at its path: the first bytes of the hash FNV-1a of 128 bits, which takes
// half the time here, for all files of each question, because nothing is copied for it.
func (f File) Unit() Unit {
	high, low := uint64(0x6c62272e07bb0142), uint64(0x62b821756295c58d)
	add := func(c byte) {
		const prime, shift = 0x13b, 24
		low ^= uint64(c)
		carry, product := bits.Mul64(prime, low)
		high, low = carry+low<<shift+prime*high, product
	}
	for i := range len(f.Hash) {
		add(f.Hash[i])
	}
	add(0)
	for i := range len(f.Path) {
		add(f.Path[i])
	}
	var u Unit
	binary.BigEndian.PutUint64(u[:8], high)
	binary.BigEndian.PutUint32(u[8:], uint32(low>>32))
	return u
}

// Find returns the file at a path.
func (m *Manifest) Find(name string) (File, bool) {
	i, ok := slices.BinarySearchFunc(m.Files, name, func(f File, name string) int { return strings.Compare(f.Path, name) })
	if !ok {
		return File{}, false
	}
	return m.Files[i], true
}

// Searched returns the files that are not left out.
func (m *Manifest) Searched() []File {
	list := make([]File, 0, len(m.Files))
	for _, f := range m.Files {
		if f.Skipped == "" && f.Hash != "" {
			list = append(list, f)
		}
	}
	return list
}

// Bytes returns the manifest for Open.
func (m *Manifest) Bytes() []byte {
	out := appendText(nil, m.Root)
	out = appendText(out, m.Rules)
	out = binary.AppendUvarint(out, uint64(len(m.Files)))
	before := ""
	for _, f := range m.Files {
		shared := sharedPrefix(before, f.Path)
		before = f.Path
		out = binary.AppendUvarint(out, uint64(shared))
		out = appendText(out, f.Path[shared:])
		hash, err := hex.DecodeString(f.Hash)
		if err != nil {
			hash = nil
		}
		out = appendText(out, string(hash))
		out = appendText(out, f.Skipped)
		out = append(out, flag(f.Failed))
		out = f.Stamp.Append(out)
	}
	out = binary.AppendUvarint(out, uint64(len(m.Watched)))
	for _, w := range m.Watched {
		out = w.Stamp.Append(appendText(out, w.Path))
	}
	return out
}

// OpenCorpus reads a manifest; false if the bytes are not one.
func OpenCorpus(data []byte) (*Manifest, bool) {
	r := record.Read(string(data))
	m := &Manifest{Root: r.Text(), Rules: r.Text()}
	n := r.Uvarint()
	// Each file takes more than a byte, so a greater number is broken and must not be allocated.
	if n > uint64(len(data)) {
		return nil, false
	}
	m.Files = make([]File, 0, n)
	before := ""
	for range n {
		shared := r.Uvarint()
		if shared > uint64(len(before)) {
			return nil, false
		}
		f := File{Path: before[:shared] + r.Text(), Hash: hex.EncodeToString([]byte(r.Text())), Skipped: r.Text(), Failed: r.Byte() == 1}
		f.Stamp = readStamp(&r)
		before = f.Path
		m.Files = append(m.Files, f)
		if r.Failed() {
			return nil, false
		}
	}
	for n := r.Uvarint(); n > 0 && !r.Failed(); n-- {
		w := Watched{Path: r.Text()}
		w.Stamp = readStamp(&r)
		m.Watched = append(m.Watched, w)
	}
	return m, !r.Failed()
}

func readStamp(r *record.Reader[string]) disk.Stamp {
	return disk.Stamp{Modified: int64(r.Uint64()), Changed: int64(r.Uint64()), Size: int64(r.Uint64()), Inode: r.Uint64()}
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func flag(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// DefaultMaxBytes is how many bytes a file may have that is searched.
const DefaultMaxBytes = 1_000_000

// Rules say which files are left out. The zero value has the usual rules only.
type Rules struct {
	Exclude  []string // globs of paths
	Include  []string // globs of paths that the usual rules do not leave out
	MaxBytes int64    // bytes of a file; DefaultMaxBytes if it is 0
}

// Valid returns an error for a glob that cannot be read.
func (r Rules) Valid() error {
	for _, glob := range append(append([]string{}, r.Exclude...), r.Include...) {
		if !doublestar.ValidatePattern(glob) {
			return fmt.Errorf("invalid glob %q", glob)
		}
	}
	return nil
}

// String is a text that differs for different rules.
func (r Rules) String() string {
	return fmt.Sprintf("%s %q %q %d", rulesVersion, r.Exclude, r.Include, r.maxBytes())
}

// rulesVersion is raised when the usual rules change.
const rulesVersion = "1"

func (r Rules) maxBytes() int64 {
	if r.MaxBytes == 0 {
		return DefaultMaxBytes
	}
	return r.MaxBytes
}

// folders are names of folders with the code of others.
func folders() []string {
	return []string{
		"node_modules", "vendor", "third_party", "thirdparty", "Pods", "Carthage", ".build", "DerivedData", ".swiftpm", "bower_components",
		"site-packages", ".venv", "__pycache__", "dist-packages",
	}
}

// lockFiles are files that package managers write.
func lockFiles() []string {
	return []string{
		"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "go.sum", "go.work.sum", "Cargo.lock", "poetry.lock",
		"uv.lock", "Pipfile.lock", "composer.lock", "Gemfile.lock", "Podfile.lock", "Package.resolved", "flake.lock", "mix.lock", "packages.lock.json",
	}
}

var (
	vendored  = sync.OnceValue(func() map[string]bool { return setOf(folders()) })
	locks     = sync.OnceValue(func() map[string]bool { return setOf(lockFiles()) })
	isCompact = compiled(`[.-](min|bundle)\.(js|mjs|cjs|css)$|\.(map|svg)$`)
	generated = compiled(`(?m)^(//|#|/\*|--|;|<!--)?[ *]*(Code generated .*DO NOT EDIT|.*@generated\b|.*(?i:autogenerated|auto-generated) (?i:file|by)\b.*)`)
)

// compiled returns a function that compiles an expression when it is first used.
func compiled(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// Path returns why a path is left out whatever the file contains; "" if it is not.
func (r Rules) Path(name string) string {
	if glob := findMatching(r.Exclude, name); glob != "" {
		return "excluded by " + glob
	}
	if findMatching(r.Include, name) != "" {
		return ""
	}
	folder, base := path.Split(name)
	for part := range strings.SplitSeq(strings.TrimSuffix(folder, "/"), "/") {
		if vendored()[part] {
			return "vendored (" + part + "/)"
		}
	}
	switch {
	case locks()[base]:
		return "written by a package manager"
	case isCompact().MatchString(base):
		return "minified or drawn"
	}
	return ""
}

// Size returns why a file of so many bytes is left out; "" if it is not.
func (r Rules) Size(bytes int64) string {
	if bytes > r.maxBytes() {
		return fmt.Sprintf("larger than %d bytes", r.maxBytes())
	}
	return ""
}

// Content returns why a file is left out because of what it contains; "" if it is not.
func (r Rules) Content(name string, text []byte) string {
	// git takes a file for binary by the same rule.
	if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return "binary"
	}
	if findMatching(r.Include, name) != "" {
		return ""
	}
	// Documentation may mention the words of generated files.
	if isGenerated(text[:min(len(text), 2000)]) && !isText(name) {
		return "generated"
	}
	if longest := longestLine(text); longest > 20_000 || len(text) > 10_000 && len(text)/(1+bytes.Count(text, []byte{'\n'})) > 500 && !isText(name) {
		return "minified"
	}
	return ""
}

// isGenerated reports whether the beginning of a file says that a program has written it.
func isGenerated(head []byte) bool {
	// Most files lack the word, which is found faster than the expression.
	return bytes.Contains(bytes.ToLower(head), []byte("generated")) && generated().Match(head)
}

// isText reports whether a file is documentation, which may mention generated files and have a line for each paragraph.
func isText(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc":
		return true
	}
	return false
}

func longestLine(text []byte) int {
	longest := 0
	for line := range bytes.Lines(text) {
		longest = max(longest, len(line))
	}
	return longest
}

// findMatching returns the first glob that a path matches, itself or one of its folders.
func findMatching(globs []string, name string) string {
	for _, glob := range globs {
		pattern := strings.TrimSuffix(glob, "/")
		for at := name; at != "." && at != "/"; at = path.Dir(at) {
			if ok, err := doublestar.Match(pattern, at); err == nil && ok {
				return glob
			}
		}
	}
	return ""
}
