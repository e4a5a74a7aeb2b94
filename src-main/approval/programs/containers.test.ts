import { judges } from './cases'

judges('containers', {
  asks: `
docker ps
`,
  danger: `
docker run --privileged x
docker run -v /:/host x
docker push x
`,
  ordinary: `
kubectl delete pod x
docker build .
docker run --rm alpine ls
docker compose up -d
`,
})
