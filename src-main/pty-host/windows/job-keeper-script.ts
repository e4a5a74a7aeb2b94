/**
 * `hold PID` puts a program into a job of its own, `end PID` ends that job. The jobs end with this script, because of
 * their limit "kill on job close" (0x2000). 0x0101: the rights to assign and to terminate a process.
 */
export const jobKeeperScript = `
$ErrorActionPreference = 'Stop'
Add-Type -TypeDefinition @'
using System;
using System.Runtime.InteropServices;
public static class DeckhandJobs {
  [StructLayout(LayoutKind.Sequential)] public struct Basic {
    public long PerProcessUserTimeLimit, PerJobUserTimeLimit; public uint LimitFlags;
    public UIntPtr MinimumWorkingSetSize, MaximumWorkingSetSize; public uint ActiveProcessLimit;
    public UIntPtr Affinity; public uint PriorityClass, SchedulingClass; }
  [StructLayout(LayoutKind.Sequential)] public struct Counters {
    public ulong ReadOperations, WriteOperations, OtherOperations, ReadBytes, WriteBytes, OtherBytes; }
  [StructLayout(LayoutKind.Sequential)] public struct Extended {
    public Basic Limits; public Counters Io;
    public UIntPtr ProcessMemoryLimit, JobMemoryLimit, PeakProcessMemoryUsed, PeakJobMemoryUsed; }
  [DllImport("kernel32.dll", CharSet = CharSet.Unicode)] public static extern IntPtr CreateJobObject(IntPtr security, string name);
  [DllImport("kernel32.dll")] public static extern bool SetInformationJobObject(IntPtr job, int kind, ref Extended limits, uint length);
  [DllImport("kernel32.dll")] public static extern bool AssignProcessToJobObject(IntPtr job, IntPtr process);
  [DllImport("kernel32.dll")] public static extern bool TerminateJobObject(IntPtr job, uint code);
  [DllImport("kernel32.dll")] public static extern IntPtr OpenProcess(uint rights, bool inherit, uint pid);
  [DllImport("kernel32.dll")] public static extern bool CloseHandle(IntPtr handle);
  public static IntPtr Hold(uint pid) {
    IntPtr process = OpenProcess(0x0101, false, pid);
    if (process == IntPtr.Zero) return IntPtr.Zero;
    IntPtr job = CreateJobObject(IntPtr.Zero, null);
    Extended limits = new Extended(); limits.Limits.LimitFlags = 0x2000;
    SetInformationJobObject(job, 9, ref limits, (uint)Marshal.SizeOf(typeof(Extended)));
    AssignProcessToJobObject(job, process);
    CloseHandle(process);
    return job; }
}
'@
$jobs = @{}
while ($null -ne ($line = [Console]::In.ReadLine())) {
  $verb, $id = $line.Trim() -split ' '
  if ($verb -eq 'hold') { $jobs[$id] = [DeckhandJobs]::Hold([uint32]$id) }
  if ($verb -eq 'end' -and $jobs.ContainsKey($id)) {
    if ($jobs[$id] -ne [IntPtr]::Zero) { [void][DeckhandJobs]::TerminateJobObject($jobs[$id], 1); [void][DeckhandJobs]::CloseHandle($jobs[$id]) }
    $jobs.Remove($id)
  }
}
`
