import { judges } from './cases'

judges('disks', {
  danger: `
mke2fs /dev/sda
mkswap /dev/sda2
wipefs -a /dev/sda
wipefs --all /dev/sda
fdisk /dev/sda
sfdisk /dev/sda
sgdisk -Z /dev/sda
parted /dev/sda mklabel gpt
cryptsetup luksFormat /dev/sda
hdparm --security-erase x /dev/sda
blkdiscard /dev/sda
nvme format /dev/nvme0
diskutil eraseDisk JHFS+ X disk0
diskpart /s x.txt
format c:
`,
  ordinary: `
lsblk
fdisk -l
diskutil list
`,
})
