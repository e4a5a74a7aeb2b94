import { judges } from './cases'

judges('programs that change files', {
  asks: `
tee X
cp a.txt X
mv a.txt X
rm a.txt
mkdir x
touch x
chmod +x a.txt
ln -s / x
`,
  danger: `
rm -rf /
rm -r -f /
rm -fr /
rm -Rf /
rm -rfv /
rm / -rf
rm -rf -- /
rm --recursive --force /
rm --rec --for /
rm -rf --no-preserve-root /
rm -rf //
rm -rf /.
rm -rf /./
rm -rf /tmp/..
rm -rf /*
rm -rf /.*
rm -rf "/"
rm -rf '/'
rm -rf ~
rm -rf ~/
rm -rf ~/*
rm -rf ~/Documents
rm -rf ~root
rm -rf .
rm -rf ./
rm -rf ./*
rm -rf *
rm -rf .*
rm -rf ..
rm -rf ../..
rm -rf ../*
rm -rf .git
rm -rf ./.git
rm -rf .git/
rm -rf .git/objects
rm -rf .GIT
rm -rf src/.git
rm -rf /home
rm -rf /home/*
rm -rf /etc /usr
rm -rf /usr/lib
rm -rf /var/lib
rm -rf /opt
rm -f /etc/passwd
mv / /tmp/x
mv ~ /tmp/x
mv .git /tmp/x
shred -u /etc/passwd
chmod -R 777 /
chmod 777 /
chmod 0777 /
chmod --recursive 777 /
chmod a+rwx /
chmod -R 000 ~
chmod -R 777 /etc
chmod u+s x
chmod 4755 x
chown -R me /
chown -R me:me /usr
chgrp -R me /etc
chattr -R +i /
chattr +i /etc/passwd
dd if=/dev/zero of=/dev/sda
dd of=/dev/sda if=/dev/zero
dd 'if=/dev/zero' of=/dev/sda
dd if=x of=/dev/nvme0n1 bs=1M
dd if=/dev/sda of=x
cp x /dev/sda
cp /dev/zero /dev/mapper/x
mv x /dev/sda
shred /dev/sda
cp ~/.ssh/id_rsa x
cp x ~/.bashrc
mv x ~/.bashrc
ln -sf x ~/.bashrc
cp x .git/hooks/pre-commit
cp pre-commit .git/hooks
cp -t .git/hooks pre-commit
cp x AGENTS.md
cp docs/AGENTS.md .
rm ~/.config/deckhand/settings.json
cp x ~/.config/deckhand/settings.json
`,
  ordinary: `
rm ~/whole-system-repository
chmod 600 ~/system-whole
rm -rf dist
rm -rf ./dist
rm -rf dist/*
rm -rf node_modules
rm -rf src/../dist
rm -rf /tmp/some-folder/x
rm -rf build/
rm -f a.txt
rm *.log
dd if=/dev/zero of=test.img bs=1M count=1
dd if=/dev/urandom of=x bs=1 count=1
chmod +x script.sh
chmod 755 script.sh
chmod -R 755 dist
chmod 644 a.txt
chown me a.txt
mkdir -p src/x
touch x.txt
cp a.txt c.txt
mv a.txt c.txt
tee x.log
`,
})
