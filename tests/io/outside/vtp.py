# Reads a .vtp file by VTK and prints its arrays.
#   python3 vtp.py FILE
import json, sys
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

reader = vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
data = reader.GetOutput()


def rows(array):
    if array.IsA("vtkStringArray"):
        return [array.GetValue(i) for i in range(array.GetNumberOfValues())]
    return [list(array.GetTuple(i)) for i in range(array.GetNumberOfTuples())]


def arrays(fields):
    return {fields.GetAbstractArray(k).GetName(): rows(fields.GetAbstractArray(k)) for k in range(fields.GetNumberOfArrays())}


lines = []
for k in range(data.GetNumberOfLines()):
    ids = data.GetCell(k).GetPointIds()
    lines.append([ids.GetId(n) for n in range(ids.GetNumberOfIds())])
print(json.dumps({
    "points": [list(data.GetPoint(i)) for i in range(data.GetNumberOfPoints())],
    "lines": lines,
    "point": arrays(data.GetPointData()),
    "cell": arrays(data.GetCellData()),
    "field": arrays(data.GetFieldData()),
}))
