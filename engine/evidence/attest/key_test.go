package attest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
	"golang.org/x/crypto/ssh"
)

// files are the key of a pen in all forms, by what they are.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	ada := newPen(1)
	private, err := EncodePrivate(ada.private)
	assert.NoError(t, err)
	block, err := ssh.MarshalPrivateKey(ada.private, "ada")
	assert.NoError(t, err)
	locked, err := ssh.MarshalPrivateKeyWithPassphrase(ada.private, "ada", []byte("secret"))
	assert.NoError(t, err)
	public, err := ada.Key().SSH()
	assert.NoError(t, err)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	assert.NoError(t, err)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	assert.NoError(t, err)
	rsaPublic, err := x509.MarshalPKIXPublicKey(rsaKey.Public())
	assert.NoError(t, err)
	rsaPrivate, err := x509.MarshalPKCS8PrivateKey(rsaKey)
	assert.NoError(t, err)
	curvePublic, err := ssh.NewPublicKey(curve.Public())
	assert.NoError(t, err)
	return map[string][]byte{
		"public": ada.Key().PEM(), "public SSH": ssh.MarshalAuthorizedKey(public),
		"private": private, "private SSH": pem.EncodeToMemory(block), "encrypted SSH": pem.EncodeToMemory(locked),
		"RSA public": pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: rsaPublic}), "RSA private": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: rsaPrivate}),
		"ECDSA SSH":    ssh.MarshalAuthorizedKey(curvePublic),
		"security key": []byte("sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIJcDoC2x3lD3SvnYTVc4zR1jpZbSb3wYdRSGBxwPxmHKAAAABHNzaDo= a\n"),
		"two":          append(ssh.MarshalAuthorizedKey(public), ssh.MarshalAuthorizedKey(public)...),
		"text":         []byte("hello"), "empty": nil,
	}
}

func TestParsePublic(t *testing.T) {
	t.Parallel()
	all := files(t)
	for name, words := range map[string]string{
		"public": "", "public SSH": "",
		"private": "private key", "private SSH": "private key", "encrypted SSH": "private key",
		"RSA public": "*rsa.PublicKey", "ECDSA SSH": "ecdsa-sha2-nistp256", "security key": "sk-ssh-ed25519@openssh.com",
		"two": "more than one key", "text": "neither a PEM file", "empty": "neither a PEM file",
	} {
		key, err := ParsePublic(all[name])
		if words == "" {
			assert.NoError(t, err, "%s", name)
			assert.True(t, key.Equal(newPen(1).Key()), "%s: %v", name, err)
			continue
		}
		assert.Error(t, err, "%s", name)
		assert.Contains(t, err.Error(), words, "%s", name)
		kind, is := errors.AsType[*KindError](err)
		assert.False(t, is && !strings.Contains(kind.Error(), "ssh-keygen -t ed25519"), "%s does not say what to do: %v", name, err)
	}
}

func TestParsePrivate(t *testing.T) {
	t.Parallel()
	all := files(t)
	for _, name := range []string{"private", "private SSH"} {
		key, err := ParsePrivate(all[name])
		assert.NoError(t, err, "%s", name)
		assert.True(t, key.Equal(newPen(1).private), "%s: %v", name, err)
	}
	_, err := ParsePrivate(all["encrypted SSH"])
	locked, is := errors.AsType[*EncryptedError](err)
	assert.True(t, is, "encrypted: %v", err)
	assert.True(t, locked.Key.Equal(newPen(1).Key()), "encrypted: %v", err)
	_, err = ParsePrivate(all["RSA private"])
	_, is = errors.AsType[*KindError](err)
	assert.True(t, is, "RSA: %v", err)
	for _, name := range []string{"public", "text", "empty"} {
		_, err := ParsePrivate(all[name])
		assert.Error(t, err, "%s was read", name)
	}
}

// TestKey_ID names a key as ssh-keygen does.
func TestKey_ID(t *testing.T) {
	t.Parallel()
	key, err := ParsePublic([]byte("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c\n"))
	if err != nil || key.ID() != "SHA256:fe85JkIjo8VPe+XqXJGH5Mau1EMFdK1OdKvJUFicyA8" {
		t.Errorf("%s, %v", key.ID(), err)
	}
	assert.Equal(t, "", (Key{}).ID(), "the zero key")
	assert.True(t, (Key{}).IsZero(), "the zero key")
	assert.False(t, key.IsZero(), "the zero key")
	_, err = NewKey(make(ed25519.PublicKey, 5))
	assert.Error(t, err, "a short key")
}

// FuzzParsePublic: what is read as a public key is the same key when it is written and read again.
func FuzzParsePublic(f *testing.F) {
	for _, text := range files(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		key, err := ParsePublic(text)
		if err != nil {
			return
		}
		again, err := ParsePublic(key.PEM())
		assert.NoError(t, err, "%q", text)
		assert.True(t, again.Equal(key), "%q: %v", text, err)
		assert.HasPrefix(t, key.ID(), "SHA256:", "%q", text)
	})
}

// FuzzParsePrivate: a private key that is read is whole.
func FuzzParsePrivate(f *testing.F) {
	for _, text := range files(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		key, err := ParsePrivate(text)
		assert.False(t, err == nil && (len(key) != ed25519.PrivateKeySize || !bytes.Equal(key.Public().(ed25519.PublicKey), key[32:])), "%q", text)
	})
}
