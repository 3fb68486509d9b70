package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
	"go.yaml.in/yaml/v3"
)

// release is a folder with one release of one program for this machine, which a server on loopback offers.
type release struct {
	dir     string // of the release
	address string // of all releases
}

const releaseVersion = "1.2.0"

func newRelease(t *testing.T, program []byte) release {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("install.sh needs a shell")
	}
	top := t.TempDir()
	r := release{dir: filepath.Join(top, "v"+releaseVersion)}
	name := fmt.Sprintf("chant_%s_%s_%s", releaseVersion, runtime.GOOS, runtime.GOARCH)
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	assert.NoError(t, err)
	w := tar.NewWriter(z)
	assert.NoError(t, w.WriteHeader(&tar.Header{Name: name + "/chant", Mode: 0o755, Size: int64(len(program))}))
	_, err = w.Write(program)
	assert.NoError(t, err)
	assert.NoError(t, w.Close())
	assert.NoError(t, z.Close())
	script, err := os.ReadFile(filepath.Join(root, "release", "install.sh"))
	assert.NoError(t, err)
	r.write(t, name+".tar.gz", packed.Bytes())
	r.write(t, "SHA256SUMS", fmt.Appendf(nil, "%x  %s.tar.gz\n", sha256.Sum256(packed.Bytes()), name))
	r.write(t, "install.sh", bytes.ReplaceAll(script, []byte("@VERSION@"), []byte(releaseVersion)))
	server := httptest.NewServer(http.FileServer(http.Dir(top)))
	t.Cleanup(server.Close)
	r.address = server.URL
	return r
}

func (r release) write(t *testing.T, name string, text []byte) {
	t.Helper()
	assert.NoError(t, os.MkdirAll(r.dir, 0o755))
	assert.NoError(t, os.WriteFile(filepath.Join(r.dir, name), text, 0o644))
}

// bareMachine returns the environment of a machine with an empty home, and a PATH of these programs and those that every
// system has.
func bareMachine(t *testing.T, programs string) []string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range strings.Fields("sh bash env uname mktemp rm mkdir cp chmod mv cat cut awk tar gzip sha256sum git " + programs) {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("%s is not installed", name)
		}
		assert.NoError(t, os.Symlink(path, filepath.Join(bin, name)))
	}
	return []string{"HOME=" + t.TempDir(), "PATH=" + bin, "TMPDIR=" + t.TempDir()}
}

func TestRelease_install(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		programs string
		spoil    string // file of the release that gets another text
		text     string
		folder   string // below HOME
		env      string
		code     int
		want     string
	}{
		"curl":                 {programs: "curl", want: "Installed "},
		"wget":                 {programs: "wget", want: "Installed "},
		"another folder":       {programs: "curl", folder: "my tools", want: "my tools/chant, version 1.2.0\n"},
		"neither":              {code: 1, want: "neither curl nor wget is installed"},
		"another archive":      {programs: "curl", spoil: fmt.Sprintf("chant_1.2.0_%s_%s.tar.gz", runtime.GOOS, runtime.GOARCH), text: "x", code: 1, want: "nothing was installed"},
		"another system":       {programs: "curl", spoil: "SHA256SUMS", text: "0  chant_1.2.0_plan9_mips.tar.gz\n", code: 1, want: "release 1.2.0 has no chant for "},
		"an unknown version":   {programs: "curl", env: "CHANT_VERSION=v9.9.9", code: 1, want: "cannot download "},
		"a folder of no use":   {programs: "curl", folder: "file/below", code: 1, want: "cannot create "},
		"no folder to replace": {programs: "curl", folder: "taken", code: 1, want: "cannot write to "},
		"no signature":         {programs: "curl ssh-keygen", env: "CHANT_SIGNERS=/dev/null", code: 1, want: "SHA256SUMS.sig"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRelease(t, []byte("#!/bin/sh\necho chant 1.2.0\n"))
			if c.spoil != "" {
				r.write(t, c.spoil, []byte(c.text))
			}
			env := append(bareMachine(t, c.programs), "CHANT_RELEASES="+r.address, c.env)
			home := strings.TrimPrefix(env[0], "HOME=")
			assert.NoError(t, os.WriteFile(filepath.Join(home, "file"), nil, 0o644))
			assert.NoError(t, os.MkdirAll(filepath.Join(home, "taken", "chant", "x"), 0o755))
			assert.NoError(t, os.Chmod(filepath.Join(home, "taken"), 0o555))
			args, folder := []string{filepath.Join(r.dir, "install.sh")}, filepath.Join(home, ".local", "bin")
			if c.folder != "" {
				folder = filepath.Join(home, c.folder)
				args = append(args, folder)
			}
			if c.folder == "taken" && os.Getuid() == 0 {
				t.Skip("no folder is read-only for this user")
			}
			got := execute(t, home, env, "sh", args...)
			assert.Equal(t, c.code, got.code, "%s%s", got.out, got.stderr)
			assert.Contains(t, got.out+got.stderr, c.want)
			_, err := os.Stat(filepath.Join(folder, "chant"))
			if c.code != 0 {
				assert.True(t, c.folder == "taken" || err != nil, "something was installed")
				return
			}
			assert.Equal(t, "chant 1.2.0\n", execute(t, home, env, filepath.Join(folder, "chant")).out)
			assert.Equal(t, 1, len(entries(t, folder)), "something else was left in the folder")
		})
	}
}

func entries(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	list, err := os.ReadDir(dir)
	assert.NoError(t, err)
	return list
}

// step is a step of a job of GitHub or of a composite action.
type step struct {
	Run  string
	Uses string
	Env  map[string]string
}

// expand replaces the expressions of a workflow: the first of the values that is not empty.
func expand(text string, values map[string]string) string {
	return regexp.MustCompile(`\$\{\{ (.*?) \}\}`).ReplaceAllStringFunc(text, func(found string) string {
		for term := range strings.SplitSeq(found[4:len(found)-3], " || ") {
			if value := strings.Trim(term, "'"); value != term && value != "" {
				return value
			}
			if values[term] != "" {
				return values[term]
			}
		}
		return ""
	})
}

// runSteps carries out the steps of a job as a runner does, up to the first that fails.
func (j *ciJob) runSteps(env []string, steps []step, values map[string]string) (string, int) {
	j.t.Helper()
	temp := j.t.TempDir()
	paths := filepath.Join(temp, "path")
	j.env = append(env, "RUNNER_TEMP="+temp, "GITHUB_PATH="+paths, "GITHUB_ACTIONS=true", "GITHUB_BASE_REF=main",
		"GITHUB_EVENT_PATH="+j.files["event"], "GITHUB_STEP_SUMMARY="+j.files["summary"])
	all := ""
	for _, s := range steps {
		if s.Uses != "" {
			continue // checkOut has done it
		}
		before := len(j.env)
		for name, value := range s.Env {
			j.env = append(j.env, name+"="+expand(value, values))
		}
		out, code := j.run(s.Run)
		all += out
		if code != 0 {
			return all, code
		}
		j.env = j.env[:before]
		if added, err := os.ReadFile(paths); err == nil {
			j.env = append(j.env, "PATH="+strings.TrimSpace(string(added))+":"+strings.TrimPrefix(env[1], "PATH="))
		}
	}
	return all, 0
}

// TestRelease_jobs runs what `chant init --ci` writes, the action and the component of GitLab on a machine that has neither chant
// nor Go: they pass, and fail when a criterion is broken.
func TestRelease_jobs(t *testing.T) {
	t.Parallel()
	program, err := os.ReadFile(chantBinary(t))
	assert.NoError(t, err)
	r := newRelease(t, program)
	j := newCIJob(t)
	for _, system := range []string{"github", "gitlab"} {
		got := execute(t, j.project.dir, append(j.project.env, "CHANT_RELEASES="+r.address), chantBinary(t), "init", "--ci", system)
		assert.Equal(t, 0, got.code, "%s", got.stderr)
		assert.NotContains(t, got.stderr, "CHANT_RELEASES")
	}
	j.chant("work", ciID, "--quiet")
	j.git("push", "-q", "origin", "refs/notes/chant")
	var workflow struct {
		Jobs map[string]struct{ Steps []step }
	}
	read := func(name string, into any) {
		t.Helper()
		text, err := os.ReadFile(name)
		assert.NoError(t, err)
		// The first document of a component describes it.
		_, after, found := strings.Cut(string(text), "\n---\n")
		if !found {
			after = string(text)
		}
		assert.NoError(t, yaml.Unmarshal([]byte(after), into), "%s", name)
	}
	read(filepath.Join(j.project.dir, ".github/workflows/chant.yml"), &workflow)
	var action struct{ Runs struct{ Steps []step } }
	read(filepath.Join(root, "action.yml"), &action)
	source, err := filepath.Abs(root)
	assert.NoError(t, err)
	// This build pins the version of the sources, which the release of this test does not have.
	pinned := workflow.Jobs["specs"].Steps
	for i := range pinned {
		if v := pinned[i].Env["CHANT_VERSION"]; v != "" {
			assert.NotContains(t, v, "@")
			pinned[i].Env["CHANT_VERSION"] = releaseVersion
		}
	}
	ofGitLab := func(name string, inputs map[string]string) []step {
		t.Helper()
		var list map[string]yaml.Node
		read(name, &list)
		var steps []step
		for _, key := range []string{"specs", "chant"} {
			node, ok := list[key]
			if !ok {
				continue
			}
			var one struct {
				Variables map[string]string
				Before    []string `yaml:"before_script"`
				Script    []string
			}
			assert.NoError(t, node.Decode(&one))
			line := strings.Join(append(one.Before, one.Script...), "\n")
			for variable, value := range one.Variables {
				for input, text := range inputs {
					value = strings.ReplaceAll(value, "$[[ inputs."+input+" ]]", text)
				}
				one.Variables[variable] = value
			}
			one.Variables["CHANT_VERSION"] = releaseVersion
			for input, text := range inputs {
				line = strings.ReplaceAll(line, "$[[ inputs."+input+" ]]", text)
			}
			steps = append(steps, step{Run: strings.ReplaceAll(line, "/tmp/", "$RUNNER_TEMP/"), Env: one.Variables})
		}
		assert.Equal(t, 1, len(steps), "%s", name)
		return steps
	}
	jobs := map[string]struct {
		steps  []step
		values map[string]string
	}{
		"init --ci github": {pinned, nil},
		"init --ci gitlab": {ofGitLab(filepath.Join(j.project.dir, ".gitlab/chant.yml"), nil), nil},
		"component": {ofGitLab(filepath.Join(root, "templates/chant.yml"), map[string]string{
			"releases": r.address, "version": releaseVersion, "arguments": "--junit chant.xml --sarif chant.sarif"}), nil},
		"action": {action.Runs.Steps, map[string]string{"inputs.releases": r.address, "github.action_ref": "v" + releaseVersion,
			"github.action_path": source, "inputs.arguments": "--junit chant.xml --sarif chant.sarif"}},
	}
	for text, want := range map[string]int{"fine again\n": 0, "broken\n": 9} {
		j.push("out.txt", text)
		for name, c := range jobs {
			if name != "init --ci github" && !enginetest.IsFull() {
				continue
			}
			j.checkOut()
			said, code := j.runSteps(bareMachine(t, "curl grep sleep"), c.steps, c.values)
			assert.Equal(t, want, code, "%s: %s", name, said)
			assert.Contains(t, said, "Installed ", "%s", name)
			assert.Equal(t, want != 0, strings.Contains(j.file("chant.xml"), "<failure"), "%s", name)
		}
	}
	// Without an address, the job says what is missing.
	j.checkOut()
	steps := append([]step(nil), pinned...)
	for i := range steps {
		if steps[i].Env != nil {
			steps[i].Env = map[string]string{"CHANT_VERSION": releaseVersion, "CHANT_RELEASES": ""}
		}
	}
	said, code := j.runSteps(bareMachine(t, "curl"), steps, nil)
	assert.Equal(t, 1, code, "%s", said)
	assert.Contains(t, said, "::error::set the variable CHANT_RELEASES")
}

// tour is a spec from init to its verification in CI, by a program of a release.
const tour = `set -e
cd "$(mktemp -d)" && git init -q -b main && git config user.name A && git config user.email a@example.com && git commit -q --allow-empty -m Begin
"$CHANT" init --provider shell
"$CHANT" add --criterion 'It says hello ` + "`$ sh greet.sh | grep hello`" + `' "$(printf 'Write a greeting\n\n## Script\n\n%ssh\necho "echo hello" > greet.sh\n%s' '` + "```' '```" + `')"
"$CHANT" work 001
test "$(sh greet.sh)" = hello
"$CHANT" ci
`

// TestRelease_build builds a release for this machine twice, installs it in each way that is possible here, and takes a
// spec through its life with each.
func TestRelease_build(t *testing.T) {
	t.Parallel()
	forRelease(t, "release/")
	if runtime.GOOS != "linux" {
		t.Skip("releases are built on Linux")
	}
	top := t.TempDir()
	env := os.Environ()
	if os.Getenv("NFPM") == "" {
		const module = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2"
		c := exec.CommandContext(t.Context(), "go", "install", module)
		c.Env = append(os.Environ(), "GOBIN="+top, "GOFLAGS=")
		if out, err := c.CombinedOutput(); err != nil {
			t.Skipf("%s cannot be built: %s", module, out)
		}
		env = append(env, "NFPM="+filepath.Join(top, "nfpm"))
	}
	source, err := filepath.Abs(root)
	assert.NoError(t, err)
	key := filepath.Join(top, "key")
	runIn(t, top, env, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "release", "-f", key)
	public, err := os.ReadFile(key + ".pub")
	assert.NoError(t, err)
	signers := filepath.Join(top, "signers")
	assert.NoError(t, os.WriteFile(signers, append([]byte("chant "), public...), 0o644))
	dist := filepath.Join(top, "releases", "v"+releaseVersion)
	env = append(env, "VERSION="+releaseVersion, "TARGETS=linux/"+runtime.GOARCH, "SIGN_KEY="+key)
	for _, folder := range []string{dist, filepath.Join(top, "again")} {
		clone := t.TempDir()
		runIn(t, top, env, "git", "clone", "-q", source, clone)
		runIn(t, clone, append(env, "DIST="+folder), "release/build")
		source = clone // which has the same commit, whatever happens to the other
	}
	names := 0
	for _, e := range entries(t, dist) {
		first, err := os.ReadFile(filepath.Join(dist, e.Name()))
		assert.NoError(t, err)
		second, err := os.ReadFile(filepath.Join(top, "again", e.Name()))
		assert.NoError(t, err)
		assert.True(t, bytes.Equal(first, second), "%s differs between two builds", e.Name())
		names++
	}
	assert.Equal(t, names, len(entries(t, filepath.Join(top, "again"))))
	found := func(pattern string) string {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(dist, pattern))
		assert.NoError(t, err)
		assert.Equal(t, 1, len(names), "%s: %q", pattern, names)
		return names[0]
	}
	works := func(t *testing.T, env []string, program string) {
		t.Helper()
		got := execute(t, t.TempDir(), append(env, "CHANT="+program), "bash", "-c", tour)
		assert.Equal(t, 0, got.code, "%s%s", got.out, got.stderr)
	}
	t.Run("install.sh", func(t *testing.T) {
		server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(top, "releases"))))
		t.Cleanup(server.Close)
		env := append(bareMachine(t, "curl grep sleep ssh-keygen printf"), "CHANT_RELEASES="+server.URL, "CHANT_SIGNERS="+signers)
		bin := t.TempDir()
		got := execute(t, bin, env, "sh", filepath.Join(dist, "install.sh"), bin)
		assert.Equal(t, 0, got.code, "%s", got.stderr)
		works(t, env, filepath.Join(bin, "chant"))
		sums := filepath.Join(dist, "SHA256SUMS")
		was, err := os.ReadFile(sums)
		assert.NoError(t, err)
		assert.NoError(t, os.WriteFile(sums, append(was, '\n'), 0o644))
		got = execute(t, bin, env, "sh", filepath.Join(dist, "install.sh"), bin)
		assert.Equal(t, 1, got.code, "checksums that were not signed")
		assert.Contains(t, got.stderr, "the signature of")
	})
	t.Run("deb", func(t *testing.T) {
		if _, err := exec.LookPath("dpkg"); err != nil {
			t.Skip("dpkg is not installed")
		}
		system := t.TempDir()
		for _, name := range []string{"info", "updates", "triggers"} {
			assert.NoError(t, os.MkdirAll(filepath.Join(system, "var/lib/dpkg", name), 0o755))
		}
		assert.NoError(t, os.WriteFile(filepath.Join(system, "var/lib/dpkg/status"), nil, 0o644))
		dpkg := []string{"--root=" + system, "--log=/dev/null", "--force-depends", "--force-not-root"}
		runIn(t, top, env, "dpkg", append(dpkg, "-i", found("chant_*.deb"))...)
		works(t, bareMachine(t, "grep sleep printf"), filepath.Join(system, "usr/bin/chant"))
		runIn(t, top, env, "dpkg", append(dpkg, "--purge", "chant")...)
		assert.Equal(t, 1, len(entries(t, system)), "something is left beside the database of dpkg")
	})
	t.Run("npx", func(t *testing.T) {
		if _, err := exec.LookPath("npm"); err != nil {
			t.Skip("npm is not installed")
		}
		env := []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir()}
		cpu := strings.ReplaceAll(runtime.GOARCH, "amd64", "x64")
		program := filepath.Join(t.TempDir(), "chant")
		script := fmt.Sprintf("#!/bin/sh\nexec npm exec --offline --yes --package=%q --package=%q -- chant \"$@\"\n",
			found("chant-engine-1*.tgz"), found("chant-engine-linux-"+cpu+"-*.tgz"))
		assert.NoError(t, os.WriteFile(program, []byte(script), 0o755))
		works(t, env, program)
	})
}

// TestRelease_path gives a copy of the module another path, under which the Go command can install it.
func TestRelease_path(t *testing.T) {
	t.Parallel()
	forRelease(t, "release/setpath")
	source, err := filepath.Abs(root)
	assert.NoError(t, err)
	clone, env := t.TempDir(), append(os.Environ(), "GOFLAGS=")
	runIn(t, clone, env, "git", "clone", "-q", source, ".")
	if out, err := tryIn(t, clone, env, "release/setpath", "example.com/you/chant"); err != nil {
		assert.Contains(t, out, "dial tcp", "without a network it cannot resolve modules")
		t.Skip(out)
	}
	runIn(t, clone, env, "go", "vet", "./cmd/chant", "./cmd/chant-fleet", "./e2e")
	mod, err := os.ReadFile(filepath.Join(clone, "go.mod"))
	assert.NoError(t, err)
	assert.HasPrefix(t, string(mod), "module example.com/you/chant\n")
	assert.NotContains(t, string(mod), "replace")
}
