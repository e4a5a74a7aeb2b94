import { judges } from './cases'

judges('the system', {
  danger: `
su -c 'rm -rf /'
sudo id
sudo -n id
sudo -s
sudo
su -c id
su -
doas id
run0 id
pkexec id
systemd-run --pipe id
chroot / sh
nsenter -t 1 -a
machinectl shell
setpriv --reuid=0 id
shutdown now
reboot
sudo reboot
poweroff
halt -p
systemctl poweroff
systemctl reboot -i
systemctl --force --force reboot
systemctl isolate rescue.target
systemctl start poweroff.target
loginctl poweroff
init 0
telinit 6
busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager PowerOff b false
dbus-send --system --dest=org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager.Reboot boolean:true
crontab x
crontab -
systemctl enable x
`,
  ordinary: `
systemctl status nginx
systemctl --user status x
systemctl list-units
init
crontab -l
apt list
brew list
shutdown --help
`,
})
