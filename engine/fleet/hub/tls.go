package hub

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// certificate is that of a server, and the file of the authority that has signed it.
type certificate struct {
	config        *tls.Config
	authorityFile string
}

// keyPair names the files of a certificate and its key.
type keyPair struct{ certFile, keyFile string }

// The lifetimes of certificates that SelfSigned makes.
const (
	authorityLife   = 20 * 365 * 24 * time.Hour
	certificateLife = 2 * 365 * 24 * time.Hour
	renewBefore     = 90 * 24 * time.Hour
	clockError      = 48 * time.Hour // by which the clock of another machine may be wrong
)

// selfSigned returns a certificate for some hosts (names or addresses), signed by an authority of its own, whose
// certificate a worker trusts instead of those of its system. Both are made in a folder if they are missing; the certificate
// is made again, for the former hosts too, if it lacks one of the hosts or ends soon. now is the time.
func selfSigned(folder string, hosts []string, now time.Time) (certificate, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return certificate{}, fmt.Errorf("the folder for the certificates of the hub: %w", err)
	}
	by := keyPair{filepath.Join(folder, "authority.pem"), filepath.Join(folder, "authority.key")}
	authority, authorityKey, err := openAuthority(by, now)
	if err != nil {
		return certificate{}, err
	}
	own := keyPair{filepath.Join(folder, "hub.pem"), filepath.Join(folder, "hub.key")}
	// A certificate that still fits stays, since machines may be checking it at this moment.
	if !own.isUsable(hosts, authority, now) {
		c := &x509.Certificate{
			// The clocks of other machines may be behind.
			Subject: pkix.Name{CommonName: "hub of a fleet"}, NotBefore: now.Add(-clockError), NotAfter: now.Add(certificateLife),
			KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}
		for _, h := range own.withFormer(hosts) {
			if ip := net.ParseIP(h); ip != nil {
				c.IPAddresses = append(c.IPAddresses, ip)
			} else {
				c.DNSNames = append(c.DNSNames, h)
			}
		}
		if _, _, err := own.sign(c, authority, authorityKey); err != nil {
			return certificate{}, err
		}
	}
	pair, err := tls.LoadX509KeyPair(own.certFile, own.keyFile)
	if err != nil {
		return certificate{}, fmt.Errorf("the certificate of the hub: %w", err)
	}
	return certificate{&tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, by.certFile}, nil
}

// maxFormer bounds the hosts of former certificates that a new one is still for.
const maxFormer = 32

// withFormer adds the hosts of the certificate that is replaced, since a server that runs may use its files: that of another
// clone with the same name of a project.
func (p keyPair) withFormer(hosts []string) []string {
	pair, err := tls.LoadX509KeyPair(p.certFile, p.keyFile)
	if err != nil {
		return hosts
	}
	former := slices.Clone(pair.Leaf.DNSNames)
	for _, ip := range pair.Leaf.IPAddresses {
		former = append(former, ip.String())
	}
	all := slices.Clone(hosts)
	for _, h := range former {
		if !slices.Contains(all, h) && len(all) < len(hosts)+maxFormer {
			all = append(all, h)
		}
	}
	return all
}

// openAuthority reads the authority, and makes it if it is missing.
func openAuthority(p keyPair, now time.Time) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	pair, err := tls.LoadX509KeyPair(p.certFile, p.keyFile)
	if errors.Is(err, fs.ErrNotExist) {
		c := &x509.Certificate{
			Subject: pkix.Name{CommonName: "authority of a fleet"}, NotBefore: now.Add(-clockError), NotAfter: now.Add(authorityLife),
			KeyUsage: x509.KeyUsageCertSign, BasicConstraintsValid: true, IsCA: true, MaxPathLenZero: true,
		}
		return p.sign(c, nil, nil)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the authority of the hub's certificate: %w", err)
	}
	key, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	if !ok {
		return nil, nil, fmt.Errorf("the key %q is not one that chant has made", p.keyFile)
	}
	return pair.Leaf, key, nil
}

// isUsable reports whether a certificate exists that is good for all hosts, for a while.
func (p keyPair) isUsable(hosts []string, authority *x509.Certificate, now time.Time) bool {
	pair, err := tls.LoadX509KeyPair(p.certFile, p.keyFile)
	if err != nil || pair.Leaf.CheckSignatureFrom(authority) != nil || now.Add(renewBefore).After(pair.Leaf.NotAfter) {
		return false
	}
	for _, h := range hosts {
		if pair.Leaf.VerifyHostname(h) != nil {
			return false
		}
	}
	return true
}

// sign makes a key and a certificate for it and writes both. by is nil for one that signs itself.
func (p keyPair) sign(c, by *x509.Certificate, byKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if c.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
		return nil, nil, err
	}
	if by == nil {
		by, byKey = c, key
	}
	raw, err := x509.CreateCertificate(rand.Reader, c, by, &key.PublicKey, byKey)
	if err != nil {
		return nil, nil, err
	}
	rawKey, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	// The key first: a certificate without its key would be found and used.
	if err := os.WriteFile(p.keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: rawKey}), 0o600); err != nil {
		return nil, nil, err
	}
	if err := os.WriteFile(p.certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), 0o644); err != nil {
		return nil, nil, err
	}
	made, err := x509.ParseCertificate(raw)
	return made, key, err
}
