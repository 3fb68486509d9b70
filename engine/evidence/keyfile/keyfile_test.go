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
	"slices"
	"strings"
	"testing"

	"chant/engine/evidence/attest"

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
		if got := Folder(tc.environ); runtime.GOOS != "windows" && got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(env)
	if err != nil || !again.Public.Equal(own.Public) || again.Kind() != "chant" {
		t.Fatalf("%+v, %v", again, err)
	}
	signs(t, again)
	secret, err := again.JournalSecret()
	if err != nil || len(secret) != journalBytes {
		t.Errorf("the secret of journals has %d bytes: %v", len(secret), err)
	}
	if runtime.GOOS != "windows" {
		for name, want := range map[string]os.FileMode{"": 0o700, privateName: 0o600, journalName: 0o600, PublicName: 0o644} {
			info, err := os.Stat(filepath.Join(Folder(env), name))
			if err != nil || info.Mode().Perm() != want {
				t.Errorf("%q: %v, %v", name, info.Mode(), err)
			}
		}
	}
	var exists *ExistsError
	if _, err := Create(env, rand.Reader); !errors.As(err, &exists) {
		t.Errorf("a second key: %v", err)
	}
	if _, err := CreateSSH(env, rand.Reader, sshKey(t, "")); !errors.As(err, &exists) {
		t.Errorf("a second key, of OpenSSH: %v", err)
	}
	if now, err := Load(env); err != nil || !now.Public.Equal(own.Public) {
		t.Errorf("the key was replaced: %v", err)
	}
	if _, err := Create(nil, rand.Reader); !errors.Is(err, ErrNoFolder) {
		t.Errorf("without a folder: %v", err)
	}
}

// TestCreate_interrupted: what a killed process has left is no key, and is replaced.
func TestCreate_interrupted(t *testing.T) {
	t.Parallel()
	env := user(t)
	if err := os.MkdirAll(Folder(env), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{journalName, privateName} {
		if err := os.WriteFile(filepath.Join(Folder(env), name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if own, err := Load(env); own != nil || err != nil {
		t.Errorf("%v, %v", own, err)
	}
	own, err := Create(env, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
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
			if err != nil {
				t.Fatal(err)
			}
			if err := tc.spoil(own.Path()); err != nil {
				t.Fatal(err)
			}
			if _, err := own.Signer(); err == nil || !strings.Contains(err.Error(), tc.words) {
				t.Errorf("%v", err)
			}
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
		if err != nil || own.Kind() != "OpenSSH" {
			t.Fatal(own, err)
		}
		signs(t, own)
		src, err := os.ReadFile(filepath.Join(Folder(env), sshName))
		if err != nil || strings.Contains(string(src), "PRIVATE KEY") {
			t.Errorf("the private key was copied: %v", err)
		}
	})
	t.Run("encrypted", func(t *testing.T) {
		t.Parallel()
		path := sshKey(t, "secret")
		var locked *UnavailableError
		if _, err := CreateSSH(user(t), rand.Reader, path); !errors.As(err, &locked) || !strings.Contains(err.Error(), "ssh-add") {
			t.Errorf("without an agent: %v", err)
		}
		if _, err := CreateSSH(withAgent(t, user(t), sshKey(t, ""), ""), rand.Reader, path); !errors.As(err, &locked) {
			t.Errorf("the agent has another key: %v", err)
		}
		env := withAgent(t, user(t), path, "secret")
		own, err := CreateSSH(env, rand.Reader, path)
		if err != nil {
			t.Fatal(err)
		}
		signs(t, own)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		signs(t, own)
		gone, err := Load(env[:1])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := gone.Signer(); !errors.As(err, &locked) {
			t.Errorf("without file and agent: %v", err)
		}
	})
	t.Run("another kind", func(t *testing.T) {
		t.Parallel()
		curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		public, err := ssh.NewPublicKey(curve.Public())
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "id_ecdsa")
		if err := os.WriteFile(path+".pub", ssh.MarshalAuthorizedKey(public), 0o644); err != nil {
			t.Fatal(err)
		}
		var kind *attest.KindError
		if _, err := CreateSSH(user(t), rand.Reader, path); !errors.As(err, &kind) || kind.Kind != public.Type() {
			t.Errorf("%v", err)
		}
	})
	t.Run("missing", func(t *testing.T) {
		t.Parallel()
		var file *FileError
		if _, err := CreateSSH(user(t), rand.Reader, filepath.Join(t.TempDir(), "id")); !errors.As(err, &file) {
			t.Errorf("%v", err)
		}
	})
}

// signs checks that a key signs.
func signs(t *testing.T, own *Own) {
	t.Helper()
	s, err := own.Signer()
	if err != nil {
		t.Fatal(err)
	}
	text, err := attest.Seal(t.Context(), attest.NewStatement("a", "b", attest.Predicate{Chant: attest.Detail{Report: []byte("{}")}}), s)
	if err != nil {
		t.Fatal(err)
	}
	a, err := attest.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Check(t.Context(), "a", "b", []attest.Trusted{{Name: "own", Key: own.Public}}); got.State != attest.Signed {
		t.Errorf("%s", got)
	}
}

// sshKey writes a private key of OpenSSH and its public file, as ssh-keygen does.
func sshKey(t *testing.T, secret string) string {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "ada")
	if secret != "" {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "ada", []byte(secret))
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	private, err := ssh.ParseRawPrivateKey(text)
	if secret != "" {
		private, err = ssh.ParseRawPrivateKeyWithPassphrase(text, []byte(secret))
	}
	if err != nil {
		t.Fatal(err)
	}
	ring := agent.NewKeyring()
	if err := ring.Add(agent.AddedKey{PrivateKey: private}); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "agent") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(listener.Close(), os.RemoveAll(dir)); err != nil {
			t.Error(err)
		}
	})
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
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if all, err := TrustedIn(filepath.Join(dir, "none")); all != nil || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	for name, text := range map[string]string{"ada@example.com.pub": string(own.Public.PEM()), "README.md": "no key"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all, err := TrustedIn(dir)
	if err != nil || len(all) != 1 || all[0].Name != "ada@example.com" || !all[0].Key.Equal(own.Public) {
		t.Errorf("%v, %v", all, err)
	}
	for _, name := range []string{"bad.pub", "a b.pub"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := TrustedIn(dir); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestValidName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"ada": true, "ada@example.com": true, "ci-1": true, "a+b@c": true,
		"": false, ".ada": false, "a/b": false, "a b": false, "../x": false, strings.Repeat("a", 101): false, "a\n": false,
	} {
		if ValidName(name) != want {
			t.Errorf("%q", name)
		}
	}
}

// TestPrivate lists what a sandbox must hide: the folder, and a key of OpenSSH that signs.
func TestPrivate(t *testing.T) {
	t.Parallel()
	if got := Private(nil); got != nil {
		t.Errorf("without a folder: %q", got)
	}
	config := t.TempDir()
	environ := []string{"XDG_CONFIG_HOME=" + config}
	folder := filepath.Join(config, "chant", "keys")
	if got := Private(environ); !slices.Equal(got, []string{folder}) {
		t.Errorf("without a key: %q", got)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, sshName), []byte("/home/ada/.ssh/id_ed25519\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Private(environ); !slices.Equal(got, []string{folder, "/home/ada/.ssh/id_ed25519"}) {
		t.Errorf("with a key of OpenSSH: %q", got)
	}
}
