// Sign signs files with minisign's Ed25519 signatures: beside each FILE it puts FILE.minisig.
//
//	go -C tools run ./sign KEY FILE ...
//
// KEY is a secret key as `minisign -G` makes it. The password of one that is encrypted is in MINISIGN_PASSWORD. Anybody
// who has the public key checks a file by `minisign -V -p KEY.pub -m FILE`.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"aead.dev/minisign"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: sign KEY FILE ...")
		os.Exit(2)
	}
	if err := sign(os.Args[1], os.Args[2:], os.Getenv("MINISIGN_PASSWORD"), time.Now()); err != nil {
		fmt.Fprintf(os.Stderr, "sign: %v\n", err)
		os.Exit(1)
	}
}

// sign signs the files with the key in a file.
func sign(keyFile string, files []string, password string, now time.Time) error {
	key, err := open(keyFile, password)
	if err != nil {
		return err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		trusted := fmt.Sprintf("timestamp:%d\tfile:%s", now.Unix(), filepath.Base(file)) // as minisign writes it
		signature := minisign.SignWithComments(key, content, trusted, "signature of rpcbench's binaries")
		if err := os.WriteFile(file+".minisig", signature, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func open(keyFile, password string) (key minisign.PrivateKey, err error) {
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return key, err
	}
	switch {
	case !minisign.IsEncrypted(text):
		err = key.UnmarshalText(text)
	case password == "":
		return key, fmt.Errorf("%s is encrypted: set MINISIGN_PASSWORD", keyFile)
	default:
		key, err = minisign.DecryptKey(password, text)
	}
	if err != nil {
		return key, fmt.Errorf("%s: %w", keyFile, err)
	}
	return key, nil
}
