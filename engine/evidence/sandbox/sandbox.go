package sandbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/config"
	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/gitops"
	"chant/gitops/rootdir"
	"chant/providers"
	"chant/providers/proxy"
	"chant/providers/wall"
)

// Sandbox builds the policies of a project.
type Sandbox struct {
	Repo     *gitops.Repo
	Store    *store.Store
	Settings config.SandboxConfig
	Trees    string   // the folder of worktrees, absolute; "" = .chant/worktrees
	Environ  []string // of this process
	Chant    string   // absolute path of this program, "" when it is not known
}

// treeDir is the folder of the worktrees of runs.
func (s *Sandbox) treeDir() string {
	return disk.RealPath(cmp.Or(s.Trees, s.Store.LocalPath(local.Worktrees, "")))
}

// Bounds are what a process gets: its policy, nil without a wall, and further variables of its environment.
type Bounds struct {
	Wall *wall.Policy
	Env  []string // each K=V

	tree, cache string
	temp        string // the folder for temporary files
	ownTemp     bool   // nothing else uses it
	environ     []string
	readable    func(path string) bool // whether the agent reads a file of the person, which settings may limit
	git         []string               // folders of git that must exist
	modules     []string               // likewise, of the repositories of submodules
	gnupg       *gnupg
	personal    func() ([]byte, error) // the settings of git that are the person's, for personalFile; nil for none
	named       map[string]string      // how the settings name what may be written
	proxy       *proxy.Proxy           // nil without a network of its own, which this process would have to make
	network     []string               // variables of Env
}

// ModeKey is the variable that a person sets to replace the mode of the settings: auto, on or off.
const ModeKey = "CHANT_SANDBOX"

// State says whether the wall is in force for this run.
func (s *Sandbox) State() State {
	mode := s.Settings.Mode
	if own := providers.Variable(s.Environ, ModeKey); own != "" {
		// A wrong value must not turn the wall off.
		switch mode = config.SandboxMode(own); mode {
		case config.SandboxAuto, config.SandboxOn, config.SandboxOff:
		default:
			return State{Mode: config.SandboxOn, Why: fmt.Sprintf("invalid %s %q (use auto, on or off)", ModeKey, own)}
		}
	}
	state := decideState(mode, wall.Supported(), s.Repo.Reftable(), s.Store.Branch(""))
	if state.InForce {
		state.Network = s.Settings.Network.String()
	}
	return state
}

// ForAgent returns the bounds of an agent that works in a tree. state is the folder with the files that were written for
// it, which it can read.
func (s *Sandbox) ForAgent(tree, state string) (Bounds, error) {
	if err := s.NetworkError(); err != nil {
		return Bounds{}, err
	}
	b, err := s.boundsIn(tree, agents)
	if err != nil || b.Wall == nil {
		return b, err
	}
	b.Wall.Show = append(b.Wall.Show, state)
	if ports, limited := s.Settings.Network.Ports(); limited {
		b.Wall.Network = &wall.Network{Ports: ports}
	}
	return b, nil
}

// ForReader returns the bounds of an agent that is asked about a folder, which it can only read.
func (s *Sandbox) ForReader(dir, state string) (Bounds, error) {
	b, err := s.ForAgent(dir, state)
	if err != nil || b.Wall == nil {
		return b, err
	}
	// It may read the folder, but not write it, and its submodules are in it.
	own := append([]string{disk.RealPath(dir)}, b.modules...)
	b.Wall.Write, b.Wall.Plain = slices.DeleteFunc(b.Wall.Write, func(path string) bool { return slices.Contains(own, path) }), nil
	b.Wall.Show = append(b.Wall.Show, disk.RealPath(dir))
	return b, nil
}

// Admit adds what the CLI of an agent needs to write, to read and to connect to.
func (s *Sandbox) Admit(b *Bounds, launch providers.Launch) error {
	if b.Wall == nil {
		return nil
	}
	made, err := makeState(b.Wall.Write, launch.State)
	// A path of the settings in that state could have become a link.
	b.Wall.Write = slices.DeleteFunc(b.Wall.Write, func(path string) bool { return b.named[path] != "" && isBelow(made, b.named[path]) })
	b.Wall.Write = append(b.Wall.Write, made...)
	b.Wall.Terminals = launch.Terminals
	s.limitReading(b, launch)
	return errors.Join(err, b.allowHosts(launch.Hosts))
}

// ForSetup returns the bounds of a command that sets up a tree: those of its agent, or of its criteria.
func (s *Sandbox) ForSetup(tree string) (Bounds, error) {
	if isCheck(tree) {
		return s.ForCriteria(tree)
	}
	return s.boundsIn(tree, agents)
}

// ForCriteria returns the bounds of a criterion that runs in a tree. One that runs in the worktree of a run, as when the
// agent asks whether its work is done, has the bounds of the agent. A check in a person's own checkout has none: it is
// the person's, and proves nothing.
func (s *Sandbox) ForCriteria(tree string) (Bounds, error) {
	if !isCheck(tree) {
		if !disk.Within(s.treeDir(), tree) {
			return Bounds{}, nil
		}
		return s.boundsIn(tree, agents)
	}
	b, err := s.boundsIn(tree, checks)
	switch {
	case err != nil:
		return b, err
	case b.Wall != nil:
		return b, s.addPaths(&b, "checks", s.Settings.Checks)
	}
	// Without a wall, too, no command finds temporary files of the one before it.
	if temp := s.TempDir(tree); filepath.IsAbs(temp) {
		b = Bounds{tree: disk.RealPath(tree), temp: temp, environ: s.Environ, Env: tempEnv(temp)}
	}
	return b, nil
}

// tempEnv are the variables that name a folder for temporary files.
func tempEnv(dir string) []string { return []string{"TMPDIR=" + dir, "TMP=" + dir, "TEMP=" + dir} }

// OfOthers reports whether a folder is in the worktree of a run or of a check, whatever is checked out there.
func (s *Sandbox) OfOthers(dir string) bool { return s.treeOf(disk.RealPath(dir)) != "" }

// ForFolder returns the bounds of a command in a worktree of a person whose content may be an agent's. It can change what
// is there, and make nothing beside it: what is of git and of chant is there, too.
func (s *Sandbox) ForFolder(dir string) (Bounds, error) {
	dir = disk.RealPath(dir)
	b, err := s.ForProgram(dir)
	if err != nil || b.Wall == nil {
		return b, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return b, err
	}
	for _, e := range entries {
		// Git's and chant's folders are here too, and a link could lead anywhere.
		if name := strings.ToLower(e.Name()); name != ".git" && name != store.Dir && e.Type()&fs.ModeSymlink == 0 {
			b.Wall.Write = append(b.Wall.Write, filepath.Join(dir, e.Name()))
		}
	}
	return b, nil
}

// ForProgram returns the bounds of a program that git starts by itself in a worktree of a person, such as a filter. It changes
// nothing there. Several may run in the folder at once, each with a folder for temporary files of its own.
func (s *Sandbox) ForProgram(dir string) (Bounds, error) {
	dir = disk.RealPath(dir)
	// Random, since several programs may run in the folder at once.
	b, err := s.boundsWithTemp(dir, tempDir(s.Environ, dir+"\x00"+rand.Text()), agents)
	if err != nil || b.Wall == nil {
		return b, err
	}
	b.ownTemp = true
	own := append([]string{dir}, b.modules...)
	// Nothing in the folder may change.
	b.Wall.Write, b.Wall.Plain, b.git = slices.DeleteFunc(b.Wall.Write, func(path string) bool { return slices.Contains(own, path) }), nil, nil
	if lfs := filepath.Join(s.Repo.CommonDir(), "lfs"); pathExists(lfs) {
		b.Wall.Write = append(b.Wall.Write, lfs)
	}
	return b, nil
}

// isCheck reports whether a tree was created for a check.
func isCheck(tree string) bool {
	_, check := CheckedSpec(filepath.Base(tree))
	return check
}

// cacheUser is who uses a cache.
type cacheUser string

const (
	agents cacheUser = ".agents"
	checks cacheUser = ".checks"
)

// boundsIn returns the bounds of what agents and criteria have in common.
func (s *Sandbox) boundsIn(tree string, who cacheUser) (Bounds, error) {
	return s.boundsWithTemp(tree, s.TempDir(tree), who)
}

// boundsWithTemp is boundsIn with another folder for temporary files.
func (s *Sandbox) boundsWithTemp(tree, temp string, who cacheUser) (Bounds, error) {
	state := s.State()
	if !state.InForce {
		return Bounds{}, state.Required()
	}
	// Resolved once, since rules apply to paths without links.
	tree = disk.RealPath(tree)
	caches, err := s.cacheDir(who)
	if err != nil {
		return Bounds{}, err
	}
	push, err := s.pushSettings()
	if err != nil {
		return Bounds{}, err
	}
	if who == checks && s.Settings.Caches == config.CachesOwn {
		// It goes with the temporary files.
		caches = filepath.Join(filepath.Dir(temp), "caches")
	}
	b := Bounds{tree: tree, temp: temp, cache: caches, environ: s.Environ, readable: func(string) bool { return true }, Env: slices.Concat(
		cacheEnv(caches, tree, s.Environ), gitEnv(s.Environ, push), tempEnv(temp),
	)}
	b.modules = s.modulesDir(tree)
	// The socket of the run is beside its temporary files.
	b.Wall = &wall.Policy{Write: append([]string{tree, temp, caches}, b.modules...), Show: []string{filepath.Dir(temp)}, Private: true}
	if who == agents {
		// Criteria get every copy, since the settings limit the reading of agents only.
		b.readable = s.readable
		b.git = append(s.looseDirs(), s.branchDirs()...)
		if b.gnupg, err = s.gnupgFor(temp); err != nil {
			return b, err
		}
		b.Env = append(b.Env, b.gnupg.env()...)
		b.personal = func() ([]byte, error) {
			return s.Repo.Personal(context.Background(), func(file string) bool { return s.readable(file) || isWithin(s.homeSettings(), file) })
		}
		b.Env = append(b.Env, "GIT_CONFIG_GLOBAL="+b.personalFile())
		b.Wall.Write = append(b.Wall.Write, filepath.Dir(b.personalFile()))
		err = s.addPaths(&b, "write", s.Settings.Write)
	}
	// Criteria, too: git writes its index when it is asked for the status.
	b.Wall.Plain = append(slices.Clone(b.git), s.Repo.AdminDir(tree))
	if err != nil {
		return b, err
	}
	b.Wall.Hide = s.hiddenPaths()
	// Otherwise no agent starts.
	if s.Settings.Network == config.ModelsNetwork && s.ownNetwork() == nil {
		err = s.addNetwork(&b)
	}
	return b, err
}

// Prepare creates the folders that the bounds name: a path that does not exist cannot be allowed.
func (b *Bounds) Prepare() error {
	if b.tree == "" {
		return nil
	}
	// The folder above, too, since the socket of the run is in it.
	for _, at := range []string{filepath.Dir(b.temp), b.temp} {
		if err := MakeUsable(at); err != nil {
			return err
		}
	}
	if b.Wall == nil {
		return nil
	}
	if err := errors.Join(b.gnupg.make(), b.copyPersonal()); err != nil {
		return err
	}
	if err := MakeUsable(b.cache); err != nil {
		return err
	}
	if err := makeGitDirs(b.git); err != nil {
		return err
	}
	if err := keepGitDirs(b.git, time.Now()); err != nil {
		return err
	}
	if err := makeModules(b.modules); err != nil {
		return err
	}
	return renewSettings(b.cache, b.environ, b.readable)
}

// personalFile is where an agent's git finds the settings of the person.
func (b *Bounds) personalFile() string { return filepath.Join(filepath.Dir(b.temp), "git", "config") }

// copyPersonal writes that file. A rule of the wall belongs to a file and not to its path, and git replaces a file of settings
// when it changes one: an agent at work could read the person's own no more, without which its git does nothing. It may change
// the copy, which ends with it.
func (b *Bounds) copyPersonal() error {
	if b.personal == nil {
		return nil
	}
	text, err := b.personal()
	if err != nil {
		return err
	}
	folder := filepath.Dir(b.personalFile())
	if err := MakeUsable(folder); err != nil {
		return err
	}
	return rootdir.In(folder, func(root *os.Root) error { return rootdir.Write(root, filepath.Base(b.personalFile()), text, 0o600) })
}

// Clear removes the folder for temporary files.
func (b *Bounds) Clear() error {
	if b.tree == "" {
		return nil
	}
	return rootdir.Remove(filepath.Dir(b.temp))
}

// ClearOwn removes it if it was made for these bounds alone.
func (b *Bounds) ClearOwn() error {
	// Another process may use the folder.
	if !b.ownTemp {
		return nil
	}
	return b.Clear()
}

// hiddenPaths lists what neither agents nor criteria can read.
func (s *Sandbox) hiddenPaths() []string {
	out := append(s.secrets(), s.treeDir(), s.Store.LocalPath(local.Cache, ""), s.Store.LocalPath(local.Logs, ""))
	repo := []string{disk.RealPath(s.Repo.Home()), disk.RealPath(s.Repo.CommonDir())}
	// As wholes: they have the trees and caches of other projects, too, and held-out criteria leave in those of checks what they
	// build. Beside each hidden folder in them, everything else would need a rule of its own.
	for _, top := range CacheTops(s.Environ) {
		if top = disk.RealPath(top); filepath.IsAbs(top) && !slices.ContainsFunc(repo, func(dir string) bool { return isWithin([]string{top}, dir) }) {
			out = append(out, top)
		}
	}
	for _, dir := range CheckDirs(s.Repo, s.Environ) {
		out = append(out, disk.RealPath(dir), disk.RealPath(dir+string(checks)))
	}
	return out
}

// secrets lists the files with secrets of the person, wherever they are: a link in one of these folders leads to where a person
// keeps the file, and a rule for the link alone hides nothing.
func (s *Sandbox) secrets() []string {
	// Keys of evidence and of the fleet, what proves to its server who this machine is, and held-out criteria.
	paths := append(keyfile.Private(s.Environ), s.Store.LocalPath(local.HeldOut, ""))
	for _, path := range append(s.memberCredentials(), s.Settings.Secrets...) {
		paths = append(paths, s.expandHome(path))
	}
	// It has the address and the token of a person's server.
	if home := providers.Variable(s.Environ, "HOME"); filepath.IsAbs(home) {
		paths = append(paths, filepath.Join(home, ".rstn"))
	}
	// The tokens of other servers. Folders beside this file have links of the CLIs of agents, which must be able to read them.
	paths = append(paths, s.Store.LocalPath(local.Cache, "mcp.json"))
	var out []string
	for _, path := range paths {
		out = append(out, disk.Leads(path)...)
	}
	return out
}

// memberCredentials returns the file with which a clone that has joined a fleet logs in to its server, if it names one.
func (s *Sandbox) memberCredentials() []string {
	var member struct{ Credentials string }
	// Written by "fleet join". No agent writes there; where it cannot be read, no command of the fleet works.
	text, err := os.ReadFile(filepath.Join(s.Repo.CommonDir(), "chant", "fleet.json"))
	if err != nil || json.Unmarshal(text, &member) != nil || member.Credentials == "" {
		return nil
	}
	return []string{member.Credentials}
}

// cacheDir returns the folder of the caches of agents or of criteria, beside the folder of check trees.
func (s *Sandbox) cacheDir(who cacheUser) (string, error) {
	var all error
	for _, dir := range CheckDirs(s.Repo, s.Environ) {
		dir += string(who)
		if err := MakeUsable(dir); err != nil {
			all = errors.Join(all, err)
			continue
		}
		return disk.RealPath(dir), nil
	}
	return "", all
}

// TempDir is the folder for temporary files of what runs in a tree.
func (s *Sandbox) TempDir(tree string) string { return tempDir(s.Environ, disk.RealPath(tree)) }

// Socket is where the process of a run listens for requests of the agent in a tree. The agent cannot replace it.
func (s *Sandbox) Socket(tree string) string {
	return filepath.Join(filepath.Dir(s.TempDir(tree)), "s")
}

// tempDir has a short path, since that of a socket in it has at most 108 bytes.
func tempDir(environ []string, tree string) string {
	sum := sha256.Sum256([]byte(tree))
	top := disk.RealPath(providers.Variable(environ, "TMPDIR"))
	if !filepath.IsAbs(top) || len(top) > maxTempPath {
		top = disk.RealPath("/tmp")
	}
	return filepath.Join(top, fmt.Sprintf("chant-%d", os.Getuid()), hex.EncodeToString(sum[:5]), "t")
}

// maxTempPath leaves room for the names of sockets in a folder for temporary files.
const maxTempPath = 50

// makeState creates the folders of a CLI's state and returns the paths that exist: one that does not exist cannot be
// allowed. A path with a dot in its last part is a file, unless the dot is its first byte. What lies in a folder that can be
// written to already is left out.
func makeState(writable, paths []string) ([]string, error) {
	var out []string
	// Folders before what is in them, so that a file in a folder that was made is left out.
	for _, path := range slices.SortedFunc(slices.Values(paths), shorterFirst) {
		if isBelow(slices.Concat(writable, out), path) {
			continue
		}
		// A path with a dot is a file, which a CLI makes itself.
		if filepath.Ext(strings.TrimPrefix(filepath.Base(path), ".")) == "" {
			if err := os.MkdirAll(path, 0o700); err != nil {
				return nil, err
			}
		}
		// A rule needs the path that exists, without links.
		if real, err := filepath.EvalSymlinks(path); err == nil {
			out = append(out, real)
		}
	}
	return out, nil
}

// isBelow reports whether a path leads through one of some folders to which an agent can write, wherever it leads from there.
// No rule is made for it: the agent could have put a link to any place there.
func isBelow(writable []string, path string) bool {
	// Each folder on the way, since an agent could have put a link anywhere in it.
	for at := filepath.Dir(path); ; at = filepath.Dir(at) {
		if slices.ContainsFunc(writable, func(dir string) bool { return disk.Within(dir, at) }) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// shorterFirst sorts folders before what is in them.
func shorterFirst(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// Missing returns those paths of a setting that do not exist, for which no rule can be made.
func (s *Sandbox) Missing(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		_, err := os.Stat(s.expandHome(path))
		return err == nil
	})
}

// addPaths adds the paths of a setting, which must exist. Of one in a folder to which agents can write, it is the folder: an
// agent could have put a link to any place there.
func (s *Sandbox) addPaths(b *Bounds, setting string, paths []string) error {
	b.named = map[string]string{}
	// Folders before what is in them.
	for _, path := range slices.SortedFunc(slices.Values(paths), shorterFirst) {
		if around := s.agentsFolder(path); around != "" {
			path = around
		}
		if isBelow(b.Wall.Write, s.expandHome(path)) {
			continue
		}
		real, err := filepath.EvalSymlinks(s.expandHome(path))
		if err != nil {
			return &journal.Failure{
				Kind: spec.ReasonSetup, Next: next.Config.On().Flag("validate"),
				Message: fmt.Sprintf("sandbox.%s: %q does not exist here, so it cannot be allowed; create it or remove it from the settings", setting, path),
			}
		}
		// Admit compares the path as the settings name it.
		b.named[real] = s.expandHome(path)
		b.Wall.Write = append(b.Wall.Write, real)
	}
	return nil
}

// agentsFolder returns the path of the settings for agents in which a path of the settings is, "" if it is in none.
func (s *Sandbox) agentsFolder(path string) string {
	for _, around := range slices.SortedFunc(slices.Values(s.Settings.Write), shorterFirst) {
		if isBelow([]string{s.expandHome(around)}, s.expandHome(path)) {
			return around
		}
	}
	return ""
}

// expandHome replaces a leading ~/ by the home folder.
func (s *Sandbox) expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(providers.Variable(s.Environ, "HOME"), rest)
	}
	return path
}

// ForBroker returns the policy of a command of chant that the agent of a spec's run has asked for. It is the agent's, and
// beside what the agent may write the command writes what chant does: the repository's git folder, specs, and its own
// folders in the caches. So arguments that lead it elsewhere are refused by the system, and it reads for the agent nothing
// that is hidden from it, such as keys and the tokens of servers, but logs.
func (s *Sandbox) ForBroker(agent *Bounds, id string) (*wall.Policy, error) {
	p := *agent.Wall
	p.Write = slices.Concat(p.Write, []string{s.Repo.CommonDir()}, s.chantFolders())
	caches, err := s.Store.AnswerFolders(id)
	if err != nil {
		return nil, err
	}
	// Its own walls have their temporary files in the same folder.
	p.Write = append(append(p.Write, caches...), filepath.Dir(s.TempDir(agent.tree)))
	for _, dir := range CheckDirs(s.Repo, s.Environ) {
		// An agent that is asked about code works there.
		p.Write = append(p.Write, disk.RealPath(dir))
	}
	log, err := s.Store.Local(local.Logs, "")
	if err != nil {
		return nil, err
	}
	p.Show = slices.Concat(p.Show, []string{filepath.Join(disk.RealPath(keyfile.Folder(s.Environ)), keyfile.PublicName), log})
	// To it, it adds what its agent reports.
	p.Write = append(p.Write, filepath.Join(log, id+".log"))
	return &p, nil
}

// chantFolders lists the folders of the checkout's .chant but those of files that are never tracked, which have the tokens
// of servers, logs and the worktrees of runs, and that of held-out criteria. Links are left out.
func (s *Sandbox) chantFolders() []string {
	top := filepath.Join(s.Store.Home(), store.Dir)
	entries, err := os.ReadDir(top)
	if err != nil {
		// The commands report it.
		return nil
	}
	var out []string
	for _, e := range entries {
		path := filepath.Join(top, e.Name())
		// Files that are never tracked have the tokens of servers and the logs of runs.
		if e.IsDir() && !slices.ContainsFunc([]local.Kind{local.Cache, local.Logs, local.Worktrees, local.HeldOut}, func(kind local.Kind) bool { return s.Store.LocalPath(kind, "") == path }) {
			out = append(out, path)
		}
	}
	return out
}
