package keyfile

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chant/engine/evidence/attest"

	"github.com/alecthomas/assert/v2"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// user is the environment of a user without keys.
func user(t *testing.T) []string {
	t.Helper()
	return []string{"XDG_CONFIG_HOME=" + filepath.Join(t.TempDir(), "config")}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	usual := map[string]string{"darwin": "/home/ada/Library/Application Support/chant/keys", "windows": ""}
	want, special := usual[runtime.GOOS]
	if !special {
		want = "/home/ada/.config/chant/keys"
	}
	for name, tc := range map[string]struct {
		environ []string
		want    string
	}{
		"usual":               {[]string{"HOME=/home/ada"}, want},
		"named":               {[]string{"HOME=/home/ada", "XDG_CONFIG_HOME=/etc/ada"}, "/etc/ada/chant/keys"},
		"named, not absolute": {[]string{"HOME=/home/ada", "XDG_CONFIG_HOME=etc"}, want},
		"no home":             {nil, ""},
		"home is relative":    {[]string{"HOME=ada"}, ""},
	} {
		got := Folder(tc.environ)
		assert.False(t, runtime.GOOS != "windows" && got != tc.want, "%s: %q, want %q", name, got, tc.want)
	}
}

// TestCreate makes a key that signs, which only its owner can read and which is never replaced.
func TestCreate(t *testing.T) {
	t.Parallel()
	env := user(t)
	if own, err := Load(env); own != nil || err != nil {
		t.Fatalf("before there is one: %v, %v", own, err)
	}
	own, err := Create(env, rand.Reader)
	assert.NoError(t, err)
	again, err := Load(env)
	assert.NoError(t, err)
	assert.True(t, again.Public.Equal(own.Public), "%+v, %v", again, err)
	assert.Equal(t, "chant", again.Kind())
	signs(t, again)
	file, err := os.ReadFile(filepath.Join(Folder(env), privateName))
	assert.NoError(t, err)
	assert.Equal(t, strings.Split(string(file), "\n")[1:2], again.Lines(), "what the key is found by")
	secret, err := again.JournalSecret()
	assert.NoError(t, err, "the secret of journals")
	assert.Equal(t, journalBytes, len(secret), "the secret of journals")
	if runtime.GOOS != "windows" {
		for name, want := range map[string]os.FileMode{"": 0o700, privateName: 0o600, journalName: 0o600, PublicName: 0o644} {
			info, err := os.Stat(filepath.Join(Folder(env), name))
			if err != nil || info.Mode().Perm() != want {
				t.Errorf("%q: %v, %v", name, info.Mode(), err)
			}
		}
	}
	var exists *ExistsError
	_, err = Create(env, rand.Reader)
	assert.True(t, errors.As(err, &exists), "a second key: %v", err)
	_, err = CreateSSH(env, rand.Reader, sshKey(t, ""))
	assert.True(t, errors.As(err, &exists), "a second key, of OpenSSH: %v", err)
	now, err := Load(env)
	assert.NoError(t, err, "the key was replaced")
	assert.True(t, now.Public.Equal(own.Public), "the key was replaced: %v", err)
	_, err = Create(nil, rand.Reader)
	assert.IsError(t, err, ErrNoFolder, "without a folder")
}

// TestCreate_interrupted: what a killed process has left is no key, and is replaced.
func TestCreate_interrupted(t *testing.T) {
	t.Parallel()
	env := user(t)
	assert.NoError(t, os.MkdirAll(Folder(env), 0o700))
	for _, name := range []string{journalName, privateName} {
		assert.NoError(t, os.WriteFile(filepath.Join(Folder(env), name), []byte("half"), 0o600))
	}
	if own, err := Load(env); own != nil || err != nil {
		t.Errorf("%v, %v", own, err)
	}
	own, err := Create(env, rand.Reader)
	assert.NoError(t, err)
	signs(t, own)
}

// TestSigner_refused: a private key that is missing, broken, of another user or open to others does not sign.
func TestSigner_refused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		spoil func(path string) error
		words string
	}{
		"missing":     {os.Remove, "no such file"},
		"broken":      {func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) }, "cannot be read"},
		"two names":   {func(path string) error { return os.Link(path, path+"2") }, "hard link"},
		"not private": {func(path string) error { return os.Chmod(path, 0o644) }, "chmod 600"},
		"another": {func(path string) error {
			_, private, err := ed25519.GenerateKey(rand.Reader)
			if err != nil {
				return err
			}
			text, err := attest.EncodePrivate(private)
			return errors.Join(err, os.WriteFile(path, text, 0o600))
		}, "belongs to another public key"},
		"a folder": {func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }, "is not a file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS == "windows" && (name == "not private" || name == "two names") {
				t.Skip("files have no modes there, and other names are not known")
			}
			own, err := Create(user(t), rand.Reader)
			assert.NoError(t, err)
			assert.NoError(t, tc.spoil(own.Path()))
			_, err = own.Signer()
			assert.Error(t, err)
			assert.Contains(t, err.Error(), tc.words)
		})
	}
}

// TestCreateSSH uses keys of OpenSSH: a file, or an SSH agent for one that is encrypted or gone.
func TestCreateSSH(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("SSH agents have no sockets there")
	}
	t.Run("a file", func(t *testing.T) {
		t.Parallel()
		env := user(t)
		own, err := CreateSSH(env, rand.Reader, sshKey(t, "")+".pub") // people name the public file too
		assert.NoError(t, err)
		file, err := os.ReadFile(own.SSH)
		assert.NoError(t, err)
		for _, line := range own.Lines() {
			assert.Contains(t, string(file), line)
		}
		assert.NotZero(t, own.Lines())
		assert.NotContains(t, strings.Join(own.Lines(), " "), "b3BlbnNzaC1rZXktdjEA", "what all keys begin with")
		assert.Equal(t, "OpenSSH", own.Kind())
		signs(t, own)
		src, err := os.ReadFile(filepath.Join(Folder(env), sshName))
		assert.NoError(t, err, "the private key was copied")
		assert.NotContains(t, string(src), "PRIVATE KEY", "the private key was copied")
	})
	t.Run("encrypted", func(t *testing.T) {
		t.Parallel()
		path := sshKey(t, "secret")
		var locked *UnavailableError
		_, err := CreateSSH(user(t), rand.Reader, path)
		assert.True(t, errors.As(err, &locked), "without an agent: %v", err)
		assert.Contains(t, err.Error(), "ssh-add", "without an agent")
		_, err = CreateSSH(withAgent(t, user(t), sshKey(t, ""), ""), rand.Reader, path)
		assert.True(t, errors.As(err, &locked), "the agent has another key: %v", err)
		env := withAgent(t, user(t), path, "secret")
		own, err := CreateSSH(env, rand.Reader, path)
		assert.NoError(t, err)
		signs(t, own)
		assert.NoError(t, os.Remove(path))
		signs(t, own)
		gone, err := Load(env[:1])
		assert.NoError(t, err)
		_, err = gone.Signer()
		assert.True(t, errors.As(err, &locked), "without file and agent: %v", err)
	})
	t.Run("another kind", func(t *testing.T) {
		t.Parallel()
		curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		assert.NoError(t, err)
		public, err := ssh.NewPublicKey(curve.Public())
		assert.NoError(t, err)
		path := filepath.Join(t.TempDir(), "id_ecdsa")
		assert.NoError(t, os.WriteFile(path+".pub", ssh.MarshalAuthorizedKey(public), 0o644))
		var kind *attest.KindError
		_, err = CreateSSH(user(t), rand.Reader, path)
		assert.True(t, errors.As(err, &kind), "%v", err)
		assert.Equal(t, public.Type(), kind.Kind)
	})
	t.Run("missing", func(t *testing.T) {
		t.Parallel()
		var file *FileError
		_, err := CreateSSH(user(t), rand.Reader, filepath.Join(t.TempDir(), "id"))
		assert.True(t, errors.As(err, &file), "%v", err)
	})
}

// signs checks that a key signs.
func signs(t *testing.T, own *Own) {
	t.Helper()
	s, err := own.Signer()
	assert.NoError(t, err)
	text, err := attest.Seal(t.Context(), attest.NewStatement("a", "b", attest.Predicate{Chant: attest.Detail{Report: []byte("{}")}}), s)
	assert.NoError(t, err)
	a, err := attest.Read(text)
	assert.NoError(t, err)
	got := a.Check(t.Context(), "a", "b", []attest.Trusted{{Name: "own", Key: own.Public}})
	assert.Equal(t, attest.Signed, got.State, "%s", got)
}

// sshKey writes a private key of OpenSSH and its public file, as ssh-keygen does.
func sshKey(t *testing.T, secret string) string {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	assert.NoError(t, err)
	block, err := ssh.MarshalPrivateKey(private, "ada")
	if secret != "" {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "ada", []byte(secret))
	}
	assert.NoError(t, err)
	line, err := ssh.NewPublicKey(public)
	assert.NoError(t, err)
	path := filepath.Join(t.TempDir(), "id_ed25519")
	if err := errors.Join(os.WriteFile(path, pem.EncodeToMemory(block), 0o600), os.WriteFile(path+".pub", ssh.MarshalAuthorizedKey(line), 0o644)); err != nil {
		t.Fatal(err)
	}
	return path
}

// withAgent serves an SSH agent that has a key, and adds its socket to an environment.
func withAgent(t *testing.T, env []string, path, secret string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	assert.NoError(t, err)
	private, err := ssh.ParseRawPrivateKey(text)
	if secret != "" {
		private, err = ssh.ParseRawPrivateKeyWithPassphrase(text, []byte(secret))
	}
	assert.NoError(t, err)
	ring := agent.NewKeyring()
	assert.NoError(t, ring.Add(agent.AddedKey{PrivateKey: private}))
	dir, err := os.MkdirTemp("", "agent") // a socket's path is short
	assert.NoError(t, err)
	listener, err := net.Listen("unix", filepath.Join(dir, "s"))
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, errors.Join(listener.Close(), os.RemoveAll(dir))) })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_ = agent.ServeAgent(ring, conn) // until the client hangs up
				_ = conn.Close()
			}()
		}
	}()
	return append(env, "SSH_AUTH_SOCK="+filepath.Join(dir, "s"))
}

func TestTrustedIn(t *testing.T) {
	t.Parallel()
	own, err := Create(user(t), rand.Reader)
	assert.NoError(t, err)
	dir := t.TempDir()
	if all, err := TrustedIn(filepath.Join(dir, "none")); all != nil || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	for name, text := range map[string]string{"ada@example.com.pub": string(own.Public.PEM()), "README.md": "no key"} {
		assert.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	all, err := TrustedIn(dir)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(all))
	assert.Equal(t, "ada@example.com", all[0].Name)
	assert.True(t, all[0].Key.Equal(own.Public), "%v, %v", all, err)
	for _, name := range []string{"bad.pub", "a b.pub"} {
		path := filepath.Join(dir, name)
		assert.NoError(t, os.WriteFile(path, []byte("x"), 0o644))
		_, err := TrustedIn(dir)
		assert.Error(t, err)
		assert.Contains(t, err.Error(), name)
		assert.NoError(t, os.Remove(path))
	}
}

func TestValidName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"ada": true, "ada@example.com": true, "ci-1": true, "a+b@c": true,
		"": false, ".ada": false, "a/b": false, "a b": false, "../x": false, strings.Repeat("a", 101): false, "a\n": false,
	} {
		assert.Equal(t, want, ValidName(name))
	}
}

// TestPrivate lists what a sandbox must hide: the folder, and a key of OpenSSH that signs.
func TestPrivate(t *testing.T) {
	t.Parallel()
	got := Private(nil)
	assert.True(t, got == nil, "without a folder: %q", got)
	config := t.TempDir()
	environ := []string{"XDG_CONFIG_HOME=" + config}
	folder := filepath.Join(config, "chant", "keys")
	assert.Equal(t, []string{folder}, Private(environ), "without a key")
	assert.NoError(t, os.MkdirAll(folder, 0o700))
	assert.NoError(t, os.WriteFile(filepath.Join(folder, sshName), []byte("/home/ada/.ssh/id_ed25519\n"), 0o600))
	assert.Equal(t, []string{folder, "/home/ada/.ssh/id_ed25519"}, Private(environ), "with a key of OpenSSH")
}
