interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  className?: string
  onChange: (value: string) => void
}

export function SearchField({ label, placeholder, value, className = '', onChange }: SearchFieldProps) {
  return (
    <input
      className={`ui-input ${className}`}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
