package keyfile

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"chant/engine/evidence/attest"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// agentLimit bounds how long an SSH agent may take to answer; a person may have to confirm a signature.
const agentLimit = time.Minute

// UnavailableError says that a key of OpenSSH cannot sign now.
type UnavailableError struct {
	Path string
	Err  error
}

// Error says why, and what to do.
func (e *UnavailableError) Error() string {
	return fmt.Sprintf("the key %q is encrypted or gone, and %s (add it: ssh-add %q)", e.Path, e.Err, e.Path)
}

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Err }

// agentSigner signs by way of an SSH agent.
type agentSigner struct {
	key    attest.Key
	socket string
}

// Key implements attest.Signer.
func (a agentSigner) Key() attest.Key { return a.key }

// Sign implements attest.Signer.
func (a agentSigner) Sign(_ context.Context, data []byte) (raw []byte, err error) {
	err = a.withAgent(func(client agent.Agent, key ssh.PublicKey) error {
		sig, err := client.Sign(key, data)
		if err != nil {
			return err
		}
		if sig.Format != ssh.KeyAlgoED25519 {
			return fmt.Errorf("the SSH agent signed in the form %.40q", sig.Format)
		}
		raw = sig.Blob
		// A broken agent must not produce evidence that is reported as forged later.
		return key.Verify(data, sig)
	})
	return raw, err
}

// checkHeld checks that the SSH agent has the key.
func (a agentSigner) checkHeld() error {
	return a.withAgent(func(client agent.Agent, key ssh.PublicKey) error {
		all, err := client.List()
		if err != nil {
			return err
		}
		for _, held := range all {
			if string(held.Blob) == string(key.Marshal()) {
				return nil
			}
		}
		return errors.New("the SSH agent does not have it")
	})
}

// withAgent connects to the SSH agent.
func (a agentSigner) withAgent(what func(agent.Agent, ssh.PublicKey) error) error {
	key, err := a.key.SSH()
	if err != nil {
		return err
	}
	if a.socket == "" {
		return errors.New("no SSH agent runs (SSH_AUTH_SOCK is not set)")
	}
	conn, err := net.DialTimeout("unix", a.socket, agentLimit)
	if err != nil {
		return fmt.Errorf("the SSH agent does not answer: %w", err)
	}
	// It includes the time that a person takes to confirm.
	err = conn.SetDeadline(time.Now().Add(agentLimit))
	if err == nil {
		err = what(agent.NewClient(conn), key)
	}
	return errors.Join(err, conn.Close())
}
